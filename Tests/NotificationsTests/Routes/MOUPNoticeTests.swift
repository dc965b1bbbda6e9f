import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import TestKit
import Testing

@testable import Notifications

/// MOUP's notifications and announcements.
@Suite(.database(Migrations.all))
struct MOUPNoticeTests {
    private var world: NotificationsWorld { .current }

    struct Notification: Decodable, Equatable {
        var id: Int64
        var senderId: AccountID
        var receiverId: AccountID
        var title: String
        var content: String
        var sentAt: String
        var readAt: String?
        var type: String
        var workerId: Int64
        var workplaceId: Int64
    }

    struct Announcement: Decodable, Equatable {
        var id: Int64
        var title: String
        var content: String
        var sentAt: String
    }

    private static func tell(_ world: NotificationsWorld, _ account: AccountID = 11, sender: AccountID? = 12)
        async throws
    {
        let event = WorkforceEvents.MemberAlerted(
            account: account,
            sender: sender,
            kind: .joinRequested,
            arguments: ["마루", "언덕카페"],
            workplace: 7,
            worker: 31
        )
        let status = try await world.deliver(event, from: .workforce)
        #expect(status == 204)
    }

    private static func notifications(_ world: NotificationsWorld, _ query: String = "") async throws -> [Notification]
    {
        try await world.client(.moup, 11).send(.get, "/alarms/notifications\(query)").json()
    }

    @Test(.service)
    func list_isBareArrayInAscendingOrder() async throws {
        #expect(try await world.client(.moup, 11).send(.get, "/alarms/notifications").text == "[]")
        try await Self.tell(world)
        try await Self.tell(world, sender: nil)
        try await Self.tell(world, 12)
        let answer = try await world.client(.moup, 11).send(.get, "/alarms/notifications")
        let list = try answer.json([Notification].self)
        #expect(list.map(\.senderId) == [12, 0] && list.map(\.receiverId) == [11, 11])
        #expect(list[0].id < list[1].id && list[0].title == "근무지 참가 요청")
        #expect(list[0].content.contains("마루") && list[0].content.contains("언덕카페"))
        #expect(list[0].sentAt.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/) != nil)
        #expect(answer.text.contains(#""readAt":null"#))
        #expect(list[0].type == "WORKPLACE_JOIN_REQUEST" && list[0].workerId == 31 && list[0].workplaceId == 7)
        #expect(answer.headers[try #require(HTTPField.Name("X-Unread-Count"))] == "2")
        let shown = try await world.client(.moup, 11).send(.get, "/alarms/notifications/\(list[0].id)")
        #expect(try shown.json(Notification.self) == list[0])
    }

    @Test
    func localDateTime_isSeoulTimeWithoutFraction() {
        #expect(LocalDateTime(Date(timeIntervalSince1970: 1_762_380_000.999)).text == "2025-11-06T07:00:00")
    }

    @Test(.service)
    func pagedList_returnsLatestFirstPage() async throws {
        for _ in 0..<5 { try await Self.tell(world) }
        let all = try await Self.notifications(world).map(\.id)
        let next = try #require(HTTPField.Name("X-Next-Cursor"))
        let answer = try await world.client(.moup, 11).send(.get, "/alarms/notifications?size=3")
        let first = try answer.json([Notification].self).map(\.id)
        let cursor = try #require(answer.headers[next])
        try await Self.tell(world)
        let rest = try await world.client(.moup, 11).send(.get, "/alarms/notifications?size=3&cursor=\(cursor)")
        #expect(try rest.json([Notification].self).map(\.id) + first == all)
        #expect(rest.headers[next] == "-1")
        for query in ["size=0", "size=x", "cursor=0"] {
            let refused = try await world.client(.moup, 11).send(.get, "/alarms/notifications?\(query)")
            #expect(refused.status == .badRequest && refused.text.contains("ARGUMENT_400"))
        }
    }

    @Test(.service)
    func secondRead_returns409() async throws {
        try await Self.tell(world)
        let id = try await Self.notifications(world)[0].id
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<6 {
                group.addTask {
                    try await world.client(.moup, 11).send(.patch, "/alarms/notifications/\(id)/read").status.code
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.sorted() == [200, 409, 409, 409, 409, 409])
        let again = try await world.client(.moup, 11).send(.patch, "/alarms/notifications/\(id)/read")
        #expect(again.text.contains("ALARM_409"))
        #expect(try await Self.notifications(world)[0].readAt != nil)
    }

    @Test(.service)
    func readAllAndDeleteAll_areIdempotent() async throws {
        try await Self.tell(world)
        try await Self.tell(world)
        try await Self.tell(world, 12)
        let phone = world.client(.moup, 11)
        for _ in 0..<2 {
            let read = try await phone.send(.patch, "/alarms/notifications/read")
            #expect(read.status == .ok && read.text.isEmpty)
        }
        #expect(try await Self.notifications(world).allSatisfy { $0.readAt != nil })
        for _ in 0..<2 {
            let deleted = try await phone.send(.delete, "/alarms/notifications")
            #expect(deleted.status == .ok && deleted.text.isEmpty)
        }
        #expect(try await Self.notifications(world) == [])
        #expect(try await world.count("alarms") == 1)
    }

    @Test(.service)
    func unknownAndOthersNotifications_return404() async throws {
        try await Self.tell(world)
        let id = try await Self.notifications(world)[0].id
        let paths: [(HTTPRequest.Method, String)] = [
            (.get, "/alarms/notifications/\(id)"), (.patch, "/alarms/notifications/\(id)/read"),
            (.delete, "/alarms/notifications/\(id)"), (.get, "/alarms/announcements/99"),
            (.patch, "/alarms/announcements/99/read"), (.delete, "/alarms/announcements/99"),
        ]
        for (method, path) in paths {
            let answer = try await world.client(.moup, 12).send(method, path)
            #expect(answer.status == .notFound && answer.text.contains("ALARM_404"), "\(path)")
        }
        let deleted = try await world.client(.moup, 11).send(.delete, "/alarms/notifications/\(id)")
        #expect(deleted.status == .ok && deleted.text.isEmpty)
        #expect(try await world.client(.moup, 11).send(.delete, "/alarms/notifications/\(id)").status == .notFound)
        let wrong = try await world.client(.moup, 11).send(.get, "/alarms/notifications/x")
        #expect(wrong.status == .badRequest && wrong.text.contains("ARGUMENT_400"))
        let none = try await world.client(.moup, 11).send(.get, "/alarms/notifications/0")
        #expect(none.status == .badRequest && none.text.contains("VARIABLE_400"))
    }

    @Test(.service)
    func announcements_areReadAndDeletedPerAccount() async throws {
        let (one, other) = (world.client(.moup, 11), world.client(.moup, 12))
        #expect(try await one.send(.get, "/alarms/announcements").text == "[]")
        for _ in 0..<2 {
            #expect(try await one.send(.patch, "/alarms/announcements/read").status == .ok)
            #expect(try await one.send(.delete, "/alarms/announcements").status == .ok)
        }
        let first = try await world.announce(.moup, "점검 안내", "두 시부터")
        let second = try await world.announce(.moup, "새 기능")
        try await world.announce(.anlaka, "다른 앱")
        let list = try await one.send(.get, "/alarms/announcements").json([Announcement].self)
        #expect(list.map(\.id) == [first, second] && list.map(\.content) == ["두 시부터", ""])
        #expect(try await one.send(.get, "/alarms/announcements/\(first)").json(Announcement.self) == list[0])

        let count = try #require(HTTPField.Name("X-Unread-Count"))
        for _ in 0..<2 {
            let read = try await one.send(.patch, "/alarms/announcements/\(first)/read")
            #expect(read.status == .ok && read.text.isEmpty)
        }
        #expect(try await one.send(.get, "/alarms/announcements").headers[count] == "1")
        #expect(try await other.send(.get, "/alarms/announcements").headers[count] == "2")
        #expect(try await one.send(.patch, "/alarms/announcements/read").status == .ok)
        #expect(try await one.send(.get, "/alarms/announcements").headers[count] == "0")

        #expect(try await one.send(.delete, "/alarms/announcements/\(first)").status == .ok)
        #expect(try await one.send(.delete, "/alarms/announcements/\(first)").status == .notFound)
        #expect(try await one.send(.get, "/alarms/announcements/\(first)").status == .notFound)
        #expect(try await one.send(.get, "/alarms/announcements").json([Announcement].self).map(\.id) == [second])
        #expect(try await one.send(.delete, "/alarms/announcements").status == .ok)
        #expect(try await one.send(.get, "/alarms/announcements").text == "[]")
        #expect(try await other.send(.get, "/alarms/announcements").json([Announcement].self).count == 2)
        let third = try await world.announce(.moup, "그다음")
        let rest = try await one.send(.get, "/alarms/announcements")
        #expect(try rest.json([Announcement].self).map(\.id) == [third] && rest.headers[count] == "1")
    }
}
