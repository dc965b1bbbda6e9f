import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import TestKit
import Testing

@testable import Notifications

/// The recipients of an announcement.
@Suite(.database(Migrations.all), .service)
struct AnnouncementsTests {
    private var world: NotificationsWorld { .current }

    private static func register(_ world: NotificationsWorld, _ account: AccountID) async throws {
        let event = AuthEvents.AccountRegistered(
            account: account,
            app: .anlaka,
            nickname: "새벽",
            image: nil,
            publicID: "\(NotificationsWorld.publicID(account))"
        )
        let status = try await world.deliver(event, from: .auth)
        #expect(status == 204)
    }

    private static func titles(_ world: NotificationsWorld, _ account: AccountID) async throws -> [String] {
        try await world.client(.anlaka, account).send(.get, "/v1/notifications/announcements")
            .json(NotificationRoutesTests.SeSACPage.self).data.map(\.title)
    }

    @Test
    func accountCreatedAfterAnnouncement_doesNotSeeIt() async throws {
        try await Self.register(world, 50)
        let first = try await world.announce(.anlaka, "하나")
        try await Self.register(world, 51)
        try await world.announce(.anlaka, "둘")
        #expect(try await Self.titles(world, 50) == ["둘", "하나"])
        #expect(try await Self.titles(world, 51) == ["둘"])
        // The account existed before the service received account events.
        #expect(try await Self.titles(world, 21) == ["둘", "하나"])
        let path = "/v1/notifications/announcements/\(first)"
        #expect(try await world.client(.anlaka, 51).send(.patch, "\(path)/read").status == .notFound)
        #expect(try await world.client(.anlaka, 51).send(.delete, path).status == .notFound)
        #expect(try await world.client(.culture, 31).send(.delete, path).status == .gone)
    }

    @Test
    func withdrawnAccount_leavesNoRows() async throws {
        let phone = world.client(.anlaka, 21)
        let id = try await world.announce(.anlaka, "하나")
        _ = try await phone.send(.patch, "/v1/notifications/announcements/\(id)/read")
        _ = try await phone.send(.patch, "/v1/notifications/announcements/read")
        let off = #"{"preferences":[{"kind":"COMMENT","isPushed":false}]}"#
        _ = try await phone.send(.put, "/v1/notifications/preferences", json: off)
        for table in ["announcement_marks", "announcement_readers", "muted_kinds"] {
            #expect(try await world.count(table) == 1, "\(table)")
        }
        let gone = try await world.deliver(AuthEvents.AccountWithdrawn(account: 21, app: .anlaka), from: .auth)
        #expect(gone == 204)
        for table in ["announcement_marks", "announcement_readers", "muted_kinds"] {
            #expect(try await world.count(table) == 0, "\(table)")
        }
    }
}
