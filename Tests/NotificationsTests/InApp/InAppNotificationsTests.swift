import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Notifications

/// Events that become in-app notifications.
@Suite(.database(Migrations.all), .service)
struct InAppNotificationsTests {
    private var world: NotificationsWorld { .current }

    @Test
    func repeatedEvent_makesOneNotification() async throws {
        try await world.addPhone(.seatcatcher, 1)
        let id = UUID()
        for _ in 0..<3 { try await world.alert(1, id: id) }
        #expect(try await world.count("alarms") == 1)
        #expect(try await world.pushes().count == 1)
    }

    @Test
    func seenEvent_isStoredAsRead_andNotPushed() async throws {
        try await world.addPhone(.seatcatcher, 1)
        try await world.alert(1, seen: true)
        #expect(try await world.pushes() == [])
        let list = try await world.client(.seatcatcher, 1).send(.get, "/alarms/me?isRead=true")
        #expect(list.text.contains(#""read":true"#) && list.text.contains(#""unreadCount":0"#))
    }

    @Test
    func notification_isPushedToAllDevicesOfAccount() async throws {
        try await world.addPhone(.seatcatcher, 1)
        try await world.addPhone(.seatcatcher, 1, session: "another")
        try await world.addPhone(.seatcatcher, 2)
        try await world.alert(1)
        #expect(Set(try await world.pushes().map(\.session)) == ["session 1", "another"])
    }

    @Test
    func withdrawnAccount_getsNone_andIsNotNamed() async throws {
        func comment(on account: AccountID, by sender: AccountID) async throws {
            let event = CommunityEvents.CommentWritten(
                app: .anlaka,
                account: account,
                sender: sender,
                post: PublicID.random(),
                comment: PublicID.random(),
                text: "안녕",
                isReply: true
            )
            let status = try await world.deliver(event, from: .community)
            #expect(status == 204)
        }
        func senders() async throws -> [AccountID?] {
            try await world.database.all("SELECT sender_id FROM alarms WHERE account_id = 22 ORDER BY id") {
                try $0.decode(AccountID?.self)
            }
        }
        func named(_ name: String) async throws -> Int {
            try await world.database.one("SELECT count(*) FROM alarms WHERE strpos(title || body, \(name)) > 0") {
                try $0.decode(Int.self)
            }
        }
        try await comment(on: 22, by: 21)
        try await comment(on: 21, by: 22)
        #expect(try await senders() == [21])
        let name = try await world.database.one("SELECT nickname FROM people WHERE account_id = 21") {
            try $0.decode(String.self)
        }
        #expect(try await named(name) == 1)
        let gone = try await world.deliver(AuthEvents.AccountWithdrawn(account: 21, app: .anlaka), from: .auth)
        #expect(gone == 204)
        try await comment(on: 21, by: 22)
        try await comment(on: 22, by: 21)
        #expect(try await senders() == [nil, nil])
        #expect(try await world.count("alarms") == 2)
        #expect(try await named(name) == 0)
        #expect(try await named("탈퇴한 사용자님이") == 1)
    }

    @Test
    func newDeviceSignIn_isNotPushedToThatDevice() async throws {
        try await world.addPhone(.moup, 11, session: "old")
        let token = AuthEvents.PushTokenReceived(account: 11, app: .moup, session: "new", token: "token-new")
        let heard = try await world.deliver(token, from: .auth)
        #expect(heard == 204)
        for _ in 0..<2 {
            let event = AuthEvents.NewDeviceSignedIn(account: 11, app: .moup, session: "new", device: "iPhone\u{0}")
            let status = try await world.deliver(event, from: .auth)
            #expect(status == 204)
        }
        let pushes = try await world.pushes()
        #expect(pushes.map(\.session) == ["old"] && pushes.map(\.kind) == ["NEW_DEVICE"])
        #expect(try await world.count("alarms") == 1)
        let idle = try await world.database.one(
            "SELECT m.due_at IS NULL FROM mailboxes m JOIN devices d ON d.id = m.device_id WHERE session_id = 'new'"
        ) { try $0.decode(Bool.self) }
        #expect(idle)
    }

    /// The push goes to the device of the session, too: its tokens were used by another one.
    @Test func sessionUsedElsewhere_isPushedToAllDevicesOnce() async throws {
        try await world.addPhone(.moup, 11, session: "own")
        try await world.addPhone(.moup, 11, session: "other")
        for _ in 0..<2 {
            let event = AuthEvents.SessionUsedElsewhere(account: 11, app: .moup, session: "own", device: "curl")
            #expect(try await world.deliver(event, from: .auth) == 204)
        }
        #expect(Set(try await world.pushes().map(\.session)) == ["own", "other"])
        #expect(try await world.count("alarms") == 1)
    }

    @Test(arguments: [
        (App.anlaka, AccountID(21), #"{"order_code":"ABCD123456","type":"PAYMENT"}"#),
        (.culture, 31, #"{"type":"PAYMENT"}"#),
    ]
    )
    func orderOutcome_isNotifiedOnce(app: App, account: AccountID, data: String) async throws {
        try await world.addPhone(app, account)
        for outcome in [PaymentsEvents.OrderSettled.Outcome.paid, .paid, .refunded] {
            let event = PaymentsEvents.OrderSettled(
                app: app,
                account: account,
                order: "ABCD123456",
                name: "후원하기",
                amount: 1_234_567,
                outcome: outcome
            )
            let status = try await world.deliver(event, from: .payments)
            #expect(status == 204)
        }
        let pushes = try await world.pushes()
        #expect(pushes.map(\.title) == ["결제가 완료되었습니다", "결제가 취소되었습니다"])
        #expect(pushes[0].body == "후원하기 1,234,567원을 결제했습니다.")
        #expect(pushes.map(\.data) == [data, data])
    }

    @Test
    func follower_isNamed() async throws {
        for sender in [AccountID(32), 3333] {
            let event = CommunityEvents.Followed(app: .culture, account: 31, sender: sender)
            let status = try await world.deliver(event, from: .community)
            #expect(status == 204)
        }
        let bodies = try await world.database.all("SELECT body FROM alarms ORDER BY id") { try $0.decode(String.self) }
        #expect(bodies == ["별님이 팔로우하기 시작했습니다.", "누군가 팔로우하기 시작했습니다."])
    }
}
