import Contracts
import HTTPTypes
import HummingbirdTesting
import TestKit
import Testing

@testable import Notifications

/// SeatCatcher's alarms.
@Suite(.database(Migrations.all), .service)
struct SeatCatcherAlarmTests {
    private var world: NotificationsWorld { .current }

    private struct List: Decodable {
        struct Item: Decodable {
            var id: Int64
            var type: String
            var read: Bool
            var title: String
            var body: String
            var localDateTime: String
        }
        var userAlarmItemList: [Item]
        var nextCursor: Int64
        var last: Bool
        var unreadCount: Int
    }

    private static func list(_ world: NotificationsWorld, _ query: String = "", of account: AccountID = 1) async throws
        -> List
    {
        let answer = try await world.client(.seatcatcher, account).send(.get, "/alarms/me\(query)")
        try #require(answer.status == .ok, "\(answer.text)")
        return try answer.json()
    }

    @Test
    func emptyList_hasAllFields() async throws {
        let answer = try await world.client(.seatcatcher, 1).send(.get, "/alarms/me")
        #expect(answer.text == #"{"last":true,"nextCursor":-1,"unreadCount":0,"userAlarmItemList":[]}"#)
    }

    @Test
    func pages_duringNewAlarms_areStable() async throws {
        for _ in 0..<12 { try await world.alert(1) }
        try await world.alert(2)
        let first = try await Self.list(world)
        #expect(first.userAlarmItemList.count == 10 && !first.last && first.unreadCount == 12)
        try await world.alert(1)
        let second = try await Self.list(world, "?cursor=\(first.nextCursor)&size=2")
        #expect(second.userAlarmItemList.count == 2 && second.last && second.nextCursor == -1)
        let ids = (first.userAlarmItemList + second.userAlarmItemList).map(\.id)
        #expect(ids == ids.sorted(by: >) && Set(ids).count == 12)
        let beyond = try await Self.list(world, "?cursor=-1")
        #expect(beyond.userAlarmItemList.isEmpty && beyond.last)
    }

    @Test
    func list_filtersByKindAndRead() async throws {
        try await world.alert(1, .hello)
        try await world.alert(1, .seatRequestReceived, ["나무", "300"])
        let requests = try await Self.list(world, "?type=SEAT_REQUEST_RECEIVED").userAlarmItemList
        #expect(requests.map(\.title) == ["나무님의 자리 요청"])
        #expect(requests[0].body.contains("300") && !requests[0].read)
        #expect(requests[0].localDateTime.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}/) != nil)

        let read = try await world.client(.seatcatcher, 1).send(.get, "/alarms/\(requests[0].id)")
        #expect(try read.json(List.Item.self).read)
        for yes in ["true", "1"] {
            #expect(try await Self.list(world, "?isRead=\(yes)").userAlarmItemList.map(\.id) == [requests[0].id])
        }
        let unread = try await Self.list(world, "?isRead=0")
        #expect(unread.userAlarmItemList.map(\.type) == ["HELLO"] && unread.unreadCount == 1)
        #expect(try read.keys() == ["id", "type", "read", "title", "body", "localDateTime"])
    }

    @Test
    func secondRead_returns200() async throws {
        try await world.alert(1)
        let id = try await Self.list(world).userAlarmItemList[0].id
        for _ in 0..<2 {
            let answer = try await world.client(.seatcatcher, 1).send(.get, "/alarms/\(id)")
            #expect(answer.status == .ok)
        }
    }

    @Test
    func othersAlarms_areForbidden() async throws {
        try await world.alert(1)
        let id = try await Self.list(world).userAlarmItemList[0].id
        let other = world.client(.seatcatcher, 2)
        let shown = try await other.send(.get, "/alarms/\(id)")
        #expect(shown.status == .forbidden && shown.text.contains("ALARM_FORBIDDEN"))
        #expect(try await other.send(.delete, "/alarms/\(id)").status == .forbidden)
        #expect(try await !Self.list(world).userAlarmItemList[0].read)

        let phone = world.client(.seatcatcher, 1)
        let deleted = try await phone.send(.delete, "/alarms/\(id)")
        #expect(deleted.status == .ok && deleted.headers[.contentType]?.hasPrefix("text/plain") == true)
        let gone = try await phone.send(.delete, "/alarms/\(id)")
        #expect(gone.status == .notFound && gone.text.contains("ALARM_NOT_FOUND"))
        #expect(try await phone.send(.get, "/alarms/\(id)").status == .notFound)
        // The alarms of another app's account are unknown.
        #expect(try await world.client(.moup, 11).send(.get, "/alarms/notifications/\(id)").status == .notFound)
    }

    @Test(arguments: [
        ("size=0", "size"), ("size=101", "size"), ("size=x", "size"), ("cursor=-2", "cursor"),
        ("cursor=0", "cursor"),
        ("cursor=9999999999999999999", "cursor"), ("type=NOTHING", "type"), ("isRead=maybe", "isRead"),
    ]
    )
    func invalidQuery_isRefusedWithParameterName(_ query: String, _ name: String) async throws {
        let answer = try await world.client(.seatcatcher, 1).send(.get, "/alarms/me?\(query)")
        #expect(answer.status == .badRequest && answer.text.contains(name), "\(answer.text)")
        #expect(try await world.client(.seatcatcher, 1).send(.get, "/alarms/x").status == .badRequest)
    }

    @Test
    func rootPath_returnsEmptyBody() async throws {
        let answer = try await world.client(.seatcatcher, 1).send(.get, "/alarms/")
        #expect(answer.status == .ok && answer.text.isEmpty)
    }

    @Test
    func announcements_haveTheirOwnList() async throws {
        let id = try await world.announce(.seatcatcher, "점검 안내", "두 시부터")
        let phone = world.client(.seatcatcher, 1)
        let path = "/alarms/me/announcements"
        let list = try await phone.send(.get, path).json(List.self)
        #expect(list.userAlarmItemList.map(\.type) == ["ANNOUNCEMENT"] && list.unreadCount == 1)
        #expect(try await phone.send(.get, "\(path)?type=HELLO").json(List.self).userAlarmItemList.isEmpty)
        #expect(try await phone.send(.get, "\(path)/\(id)").json(List.Item.self).read)
        #expect(try await phone.send(.get, path).json(List.self).unreadCount == 0)
        #expect(try await Self.list(world).userAlarmItemList.isEmpty)
        #expect(try await phone.send(.delete, "\(path)/\(id)").status == .ok)
        #expect(try await phone.send(.get, "\(path)/\(id)").status == .notFound)
    }
}
