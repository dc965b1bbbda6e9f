import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import TestKit
import Testing

@testable import Notifications

/// The lists of apps whose contracts had none.
@Suite(.database(Migrations.all), .service)
struct NotificationRoutesTests {
    private var world: NotificationsWorld { .current }

    struct SeSACPage: Decodable {
        struct Item: Decodable {
            var id: String
            var type: String
            var title: String
            var body: String
            var data: [String: String]
            var createdAt: String
            var readAt: String?

            enum CodingKeys: String, CodingKey {
                case type, title, body, data, createdAt, readAt
                case id = "notification_id"
            }
        }

        var data: [Item]
        var next: String
        var unread: Int

        enum CodingKeys: String, CodingKey {
            case data
            case next = "next_cursor"
            case unread = "unread_count"
        }
    }

    private static func comment(_ world: NotificationsWorld, _ account: AccountID = 21, app: App = .anlaka) async throws
    {
        let event = CommunityEvents.CommentWritten(
            app: app,
            account: account,
            sender: account.next,
            post: PublicID.random(),
            comment: PublicID.random(),
            text: "좋아요",
            isReply: false
        )
        let status = try await world.deliver(event, from: .community)
        #expect(status == 204)
    }

    private static func page(_ phone: ServiceClient, _ path: String) async throws -> SeSACPage {
        let answer = try await phone.send(.get, path)
        try #require(answer.status == .ok, "\(answer.text)")
        return try answer.json()
    }

    @Test
    func emptyList_matchesFormatOfApp() async throws {
        for path in ["/v1/notifications", "/v1/notifications/announcements"] {
            let answer = try await world.client(.culture, 31).send(.get, path)
            #expect(answer.text == #"{"data":[],"next_cursor":"0","unread_count":0}"#)
        }
        let other = try await world.client(.withsuhyeon, 41).send(.get, "/api/v1/notifications")
        #expect(
            other.text == #"{"errorCode":null,"message":"SUCCESS","#
                + #""result":{"nextCursor":"0","notifications":[],"unreadCount":0}}"#
        )
    }

    @Test(arguments: ["/v1/notifications", "/v1/notifications/announcements"])
    func pages_duringChanges_areStable(_ path: String) async throws {
        let phone = world.client(.anlaka, 21)
        func more() async throws {
            if path.hasSuffix("announcements") {
                try await world.announce(.anlaka, "안내")
            } else {
                try await Self.comment(world)
            }
        }
        for _ in 0..<5 { try await more() }
        var (ids, next, count) = ([String](), "", 0)
        repeat {
            let page = try await Self.page(phone, "\(path)?limit=2&next=\(next)")
            ids += page.data.map(\.id)
            next = page.next
            count += 1
            try await more()
            if count == 1 { _ = try await phone.send(.delete, "\(path)/\(ids[1])") }
        } while next != "0" && count < 10
        #expect(ids.count == 5 && Set(ids).count == 5 && count == 3)
        #expect(try await Self.page(phone, "\(path)?next=0").data.isEmpty)
        for query in ["limit=0", "limit=51", "next=x", "next=1-2-3"] {
            #expect(try await phone.send(.get, "\(path)?\(query)").status == .badRequest)
        }
    }

    @Test
    func readAndDelete_updateList() async throws {
        let phone = world.client(.culture, 31)
        for _ in 0..<3 { try await Self.comment(world, 31, app: .culture) }
        let item = try await Self.page(phone, "/v1/notifications").data[0]
        #expect(item.type == "COMMENT" && item.title == "별님이 댓글을 남겼습니다" && item.body == "좋아요")
        #expect(Set(item.data.keys) == ["post_id", "comment_id"] && item.readAt == nil)
        #expect(item.createdAt.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)

        let read = try await phone.send(.patch, "/v1/notifications/\(item.id)/read")
        let first = try read.json(SeSACPage.Item.self).readAt
        world.clock.advance(by: 60)
        let again = try await phone.send(.patch, "/v1/notifications/\(item.id)/read")
        #expect(try first != nil && again.json(SeSACPage.Item.self).readAt == first)
        #expect(try await Self.page(phone, "/v1/notifications").unread == 2)
        let deleted = try await phone.send(.delete, "/v1/notifications/\(item.id)")
        #expect(deleted.status == .ok && deleted.text == #"{"unread_count":2}"#)
        #expect(try await phone.send(.delete, "/v1/notifications/\(item.id)").status == .gone)
        let all = try await phone.send(.patch, "/v1/notifications/read")
        #expect(all.status == .ok && all.text == #"{"unread_count":0}"#)
        #expect(try await phone.send(.delete, "/v1/notifications").text == #"{"unread_count":0}"#)
        #expect(try await Self.page(phone, "/v1/notifications").data.isEmpty)
    }

    @Test
    func withSuhyeon_usesItsEnvelope_andReturns410() async throws {
        struct Answer: Decodable {
            struct Result: Decodable {
                struct Item: Decodable {
                    var notificationId: Int64
                    var createdAt: String
                    var readAt: String?
                }
                var notifications: [Item]
                var unreadCount: Int
            }
            var result: Result
        }
        let phone = world.client(.withsuhyeon, 41)
        let id = try await world.announce(.withsuhyeon, "점검 안내")
        let path = "/api/v1/notifications/announcements"
        let list = try await phone.send(.get, path).json(Answer.self).result
        #expect(list.notifications.map(\.notificationId) == [id] && list.unreadCount == 1)
        #expect(list.notifications[0].createdAt.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}/) != nil)
        #expect(try await phone.send(.patch, "\(path)/\(id)/read").status == .ok)
        let deleted = try await phone.send(.delete, "\(path)/\(id)")
        #expect(deleted.text == #"{"errorCode":null,"message":"SUCCESS","result":{"unreadCount":0}}"#)
        for (method, path) in [
            (HTTPRequest.Method.patch, "\(path)/\(id)/read"), (.delete, "\(path)/\(id)"),
            (.delete, "/api/v1/notifications/77"), (.delete, "/api/v1/notifications/x"),
        ] {
            let gone = try await phone.send(method, path)
            #expect(gone.status == .gone && gone.text.contains(#""result":null"#))
        }
    }

    @Test(arguments: [App.anlaka, .culture, .withsuhyeon])
    func everyApp_readsAndDeletesAnnouncements(_ app: App) async throws {
        let account: AccountID = app == .anlaka ? 21 : app == .culture ? 31 : 41
        let phone = world.client(app, account)
        let path = app == .withsuhyeon ? "/api/v1/notifications" : "/v1/notifications"
        let unread = app == .withsuhyeon ? #""unreadCount":"# : #""unread_count":"#
        var ids: [Int64] = []
        for title in ["점검 안내", "새 기능", "공지"] { ids.append(try await world.announce(app, title)) }
        #expect(try await phone.send(.patch, "\(path)/announcements/\(ids[0])/read").status == .ok)
        #expect(try await phone.send(.delete, "\(path)/announcements/\(ids[1])").text.contains("\(unread)1"))
        #expect(try await phone.send(.patch, "\(path)/announcements/read").text.contains("\(unread)0"))
        #expect(try await phone.send(.delete, "\(path)/announcements").text.contains("\(unread)0"))
        #expect(try await !phone.send(.get, "\(path)/announcements").text.contains("공지"))
        #expect(try await phone.send(.patch, "\(path)/read").text.contains("\(unread)0"))
        #expect(try await phone.send(.delete, path).text.contains("\(unread)0"))
    }

    @Test(arguments: [App.anlaka, .culture])
    func othersNotifications_areNotChanged(_ app: App) async throws {
        let owner: AccountID = app == .anlaka ? 21 : 31
        try await Self.comment(world, owner, app: app)
        let id = try await Self.page(world.client(app, owner), "/v1/notifications").data[0].id
        let other = world.client(app, owner.next)
        #expect(try await other.send(.patch, "/v1/notifications/\(id)/read").status.code == 445)
        #expect(try await other.send(.delete, "/v1/notifications/\(id)").status.code == 445)
        let none = try await other.send(.delete, "/v1/notifications/999999")
        #expect(none.status == (app == .anlaka ? .notFound : .gone))
        // The same id in another app is unknown.
        let (neighbour, account): (App, AccountID) = app == .anlaka ? (.culture, 31) : (.anlaka, 21)
        let gone = try await world.client(neighbour, account).send(.delete, "/v1/notifications/\(id)")
        #expect(gone.status == (neighbour == .anlaka ? .notFound : .gone))
        #expect(try await Self.page(world.client(app, owner), "/v1/notifications").unread == 1)
    }

    @Test(arguments: ["/v1/notifications", "/v1/notifications/announcements"])
    func request_withoutAccount_returns401(_ path: String) async throws {
        let answer = try await ServiceClient(world.client, to: .notifications, app: .anlaka).send(.get, path)
        #expect(answer.status == .unauthorized)
    }

    @Test
    func freeTextPush_isAcceptedAndNotSent() async throws {
        try await world.addPhone(.anlaka, 22)
        let phone = world.client(.anlaka, 21)
        let user = NotificationsWorld.publicID(22)
        let one = #"{"user_id":"\#(user)","title":"a","body":"b"}"#
        let several = #"{"user_ids":["\#(user)"],"title":"a","subtitle":null,"body":"b"}"#
        #expect(try await phone.send(.post, "/v1/notifications/push", json: one).status == .ok)
        #expect(try await phone.send(.post, "/v1/notifications/push/group", json: several).status == .ok)
        for (path, json, field) in [
            ("push", #"{"title":"a","body":"b"}"#, "user_id"),
            ("push", #"{"user_id":"x","title":"a","body":"b"}"#, "user_id"),
            ("push", #"{"user_id":"\#(user)","body":"b"}"#, "title"),
            ("push", #"{"user_id":"\#(user)","title":"a"}"#, "body"),
            ("push/group", #"{"user_ids":"\#(user)","title":"a","body":"b"}"#, "user_ids"),
            ("push/group", #"{"user_ids":["y"],"title":"a","body":"b"}"#, "user_ids"),
        ] {
            let refused = try await phone.send(.post, "/v1/notifications/\(path)", json: json)
            #expect(refused.status == .badRequest && refused.text.contains(field), "\(refused.text)")
        }
        #expect(try await world.pushes() == [])
        #expect(try await world.count("alarms") == 0)
    }
}

extension AccountID {
    /// The account with the next id.
    fileprivate var next: AccountID { AccountID(rawValue: rawValue + 1) }
}
