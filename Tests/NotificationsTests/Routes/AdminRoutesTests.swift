import Contracts
import HTTPTypes
import HummingbirdTesting
import Synchronization
import TestKit
import Testing

@testable import Notifications

extension Trait where Self == FixtureTrait<NotificationsWorld> {
    /// The service, with account 12 as an administrator of MOUP.
    fileprivate static var administrator: Self {
        .fixture { body in
            try await NotificationsWorld.test { world in
                _ = world.auth.state.withLock { $0.administrators.insert(12) }
                try await body(world)
            }
        }
    }
}

/// Announcements and messages by MOUP's administrators.
@Suite(.database(Migrations.all), .administrator)
struct AdminRoutesTests {
    private var world: NotificationsWorld { .current }
    static let announcements = "/admin/alarms/announcements"
    static let notification = "/admin/alarms/notification"

    private static func send(
        _ world: NotificationsWorld,
        _ path: String,
        _ json: String,
        key: String? = nil,
        by account: AccountID = 12
    ) async throws -> TestResponse {
        var headers: HTTPFields = [:]
        headers[try #require(HTTPField.Name("Idempotency-Key"))] = key
        return try await world.client(.moup, account).send(.post, path, json: json, headers: headers)
    }

    @Test(arguments: [
        (announcements, #"{"title":"a"}"#), (notification, #"{"receiverId":11,"title":"a"}"#),
        (announcements, "{}"),
    ]
    )
    func otherUsers_areForbidden(_ path: String, _ json: String) async throws {
        let answer = try await Self.send(world, path, json, by: 11)
        #expect(answer.status == .forbidden && answer.text.isEmpty)
        let unknown = try await Self.send(world, path, json, by: 404)
        #expect(unknown.status == .forbidden && unknown.text.isEmpty)
        world.auth.state.withLock { $0.isAway = true }
        #expect(try await Self.send(world, path, json).status == .serviceUnavailable)
        #expect(try await world.count("announcements") + world.count("alarms") == 0)
    }

    @Test
    func concurrentAnnouncements_withOneKey_sendOnce() async throws {
        try await world.addPhone(.moup, 11)
        try await world.addPhone(.anlaka, 21)
        let json = #"{"title":"점검 안내","content":"두 시부터"}"#
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<5 {
                group.addTask { try await Self.send(world, Self.announcements, json, key: "k").status.code }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == [204, 204, 204, 204, 204])
        #expect(try await world.count("announcements") == 1)
        let other = try await Self.send(world, Self.announcements, #"{"title":"다른"}"#, key: "k")
        #expect(other.status == .conflict && other.text.contains("COMMON_409"))
        try await world.announcementsAreOut()
        let pushes = try await world.pushes()
        #expect(pushes.map(\.account) == [11] && pushes.map(\.title) == ["점검 안내"])
        #expect(pushes.map(\.body) == ["두 시부터"] && pushes.map(\.kind) == ["ANNOUNCEMENT"])
        #expect(try await Self.send(world, Self.announcements, json).status == .noContent)
        #expect(try await world.count("announcements") == 2)
    }

    @Test
    func message_withOneKey_isSentOnce() async throws {
        try await world.addPhone(.moup, 11)
        let json = #"{"receiverId":11,"title":"안녕하세요","content":"문의하신 내용입니다.\n감사합니다."}"#
        for _ in 0..<2 { #expect(try await Self.send(world, Self.notification, json, key: "k").status == .noContent) }
        let list = try await world.client(.moup, 11).send(.get, "/alarms/notifications")
            .json([MOUPNoticeTests.Notification].self)
        #expect(list.map(\.senderId) == [12] && list.map(\.content) == ["문의하신 내용입니다.\n감사합니다."])
        let pushes = try await world.pushes()
        #expect(pushes.map(\.kind) == ["ADMIN_MESSAGE"])
        #expect(pushes[0].data == #"{"notificationId":"\#(list[0].id)","type":"ADMIN_MESSAGE"}"#)
        let other = #"{"receiverId":11,"title":"다른"}"#
        #expect(try await Self.send(world, Self.notification, other, key: "k").status == .conflict)
        #expect(try await Self.send(world, Self.notification, other).status == .noContent)
    }

    @Test(arguments: [AccountID(21), 999, 0, -1])
    func unknownReceiver_returns404(_ receiver: AccountID) async throws {
        let answer = try await Self.send(world, Self.notification, #"{"receiverId":\#(receiver),"title":"a"}"#)
        #expect(answer.status == .notFound && answer.text.contains("USER_404"), "\(answer.text)")
        #expect(try await world.count("alarms") == 0)
    }

    @Test(arguments: [
        (#"{"receiverId":11}"#, "title"), (#"{"receiverId":11,"title":" "}"#, "title"),
        (#"{"receiverId":11,"title":"a\u0000"}"#, "title"), (#"{"receiverId":11,"title":1}"#, "title"),
        (#"{"receiverId":11,"title":"\#(String(repeating: "가", count: 101))"}"#, "title"),
        (#"{"receiverId":11,"title":"a","content":"\#(String(repeating: "가", count: 2001))"}"#, "content"),
        (#"{"receiverId":"x","title":"a"}"#, "receiverId"),
    ]
    )
    func invalidText_isRefusedWithFieldName(_ json: String, _ field: String) async throws {
        for path in [Self.notification] + (field == "receiverId" ? [] : [Self.announcements]) {
            let answer = try await Self.send(world, path, json)
            #expect(answer.status.code == 422 && answer.text.contains(field), "\(answer.text)")
            #expect(answer.text.contains("FIELD_422"))
        }
        let key = String(repeating: "k", count: 201)
        let long = try await Self.send(world, Self.announcements, #"{"title":"a"}"#, key: key)
        #expect(long.status.code == 422 && long.text.contains("Idempotency-Key"))
    }
}
