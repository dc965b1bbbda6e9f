import Authentication
import Contracts
import Events
import FoundationEssentials
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import Seats

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct AlertTests {
    private var world: SeatsWorld { .current }

    /// The due alerts as a subscriber would receive them.
    private func sent() async throws -> [SeatsEvents.PassengerAlerted] {
        let unreachable = InternalClient(to: .notifications, at: ["http://127.0.0.1:9"], keys: .development(.seats))
        let listener = Subscriber(.notifications, to: [SeatsEvents.PassengerAlerted.self], client: unreachable)
        let sender = AlertSender(database: world.database, outbox: Outbox(subscribers: [listener]))
        // In one transaction, so that the service's own timer finds nothing in between.
        try await world.database.transaction { transaction in
            try await transaction.execute("UPDATE alerts SET due_at = now()")
            _ = try await sender.sendDue(limit: 100, in: transaction)
        }
        return try await world.database.all("SELECT body FROM outbox ORDER BY id") {
            try $0.decode(PostgresJSON<SeatsEvents.PassengerAlerted>.self).value
        }
    }

    @Test func seatExchange_alertsWaitingPassenger() async throws {
        let seat = try await world.seats()[0]
        _ = try await world.start(1)
        _ = try await world.occupy(seat, 1)
        try await world.pay(2, 500)
        _ = try await world.request(seat, by: 2, 120)
        _ = try await world.yield(seat, 2, "type=CANCEL")
        _ = try await world.request(seat, by: 2, 130)
        try await LiveStore().markAllDelivered(on: .owner(seat: seat, account: 1), in: world.database)
        _ = try await world.yield(seat, 1, "oppositeUserId=2&type=ACCEPT")
        let alerts = try await sent()
        #expect(
            Set(
                alerts.map { "\($0.account) \($0.kind.rawValue) \($0.arguments.joined(separator: "|")) \($0.seen)" }
            ) == [
                "1 SEAT_REQUEST_RECEIVED 빛나는 고래|120 true", "1 SEAT_REQUEST_CANCELED 빛나는 고래 true",
                "1 SEAT_REQUEST_RECEIVED 빛나는 고래|130 true", "2 SEAT_REQUEST_ACCEPTED 조용한 수달|신림 false",
            ]
        )
        let accepted = try #require(alerts.first { $0.kind == .seatRequestAccepted })
        #expect(accepted.payload?.contains(#""isAccepted":true"#) == true)
        #expect(try await sent().count == 4)
    }
}
