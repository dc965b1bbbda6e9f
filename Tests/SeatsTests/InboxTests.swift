import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Seats

/// Events of one request against changes of cars, which lock cars before passengers.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct InboxTests {
    private var world: SeatsWorld { .current }

    private func lock(_ code: String, in transaction: PostgresTransaction, nowait: Bool = false) async throws {
        let end: SQL = nowait ? "FOR NO KEY UPDATE NOWAIT" : "FOR NO KEY UPDATE"
        try await transaction.execute("SELECT FROM cars WHERE car_code = \(code) \(end)")
    }

    /// The first profile belongs to an occupant of the second car, the second one to an occupant of the first car: a
    /// transaction of both would lock the cars in the opposite order of all others.
    @Test func profileChanges_keepOrderOfLocks() async throws {
        let cars = ["2401", "2402"]
        for (account, code) in zip(AccountID(1)..., cars) {
            #expect(try await world.occupy(world.seats(car: code)[0], account) == "201")
        }
        let world = world
        let changes = try [2, 1].map { (account: Int64) in
            let change = AuthEvents.ProfileChanged(
                account: AccountID(rawValue: account),
                app: .seatcatcher,
                nickname: "새 이름 \(account)",
                image: "IMAGE_2",
                tags: []
            )
            let body = String(decoding: try JSONEncoder().encode(change), as: UTF8.self)
            return #"{"id":"\#(UUID())","name":"\#(AuthEvents.ProfileChanged.name)","body":\#(body)}"#
        }
        let delivery = try await world.database.transaction { transaction in
            try await lock(cars[0], in: transaction)
            let body = #"{"events":[\#(changes.joined(separator: ","))]}"#
            let auth = ServiceClient(world.client, to: .seats, process: .auth)
            let delivery = Task { try await auth.send(.post, "/internal/events", json: body).status.code }
            try await transaction.waitUntilBlocking()
            try await lock(cars[1], in: transaction, nowait: true)
            return delivery
        }
        #expect(try await delivery.value == 204)
        for account in [1, 2] {
            let name = try await world.database.one("SELECT nickname FROM passengers WHERE account_id = \(account)") {
                try $0.decode(String.self)
            }
            #expect(name == "새 이름 \(account)")
        }
    }
}
