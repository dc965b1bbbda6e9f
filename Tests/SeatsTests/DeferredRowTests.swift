import Contracts
import FoundationEssentials
import Postgres
import Subway
import TestKit
import Testing

@testable import Seats

/// Rows of which the handling fails hold up no others. A trigger lets the change of some rows fail.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct DeferredRowTests {
    private var database: PostgresClient { TestDatabase.current.client }

    private func refuse(_ change: SQL, of table: String, where condition: SQL) async throws {
        try await StationStore(database: database).load(try StationData.stations())
        try await database.execute(
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$"
        )
        try await database.execute(
            """
            CREATE TRIGGER refuse BEFORE \(change) ON \(identifier: table) FOR EACH ROW
            WHEN (\(condition)) EXECUTE FUNCTION refuse()
            """
        )
    }

    private func start(_ account: AccountID) async throws {
        _ = try await JourneyStore().insert(
            account: account,
            start: 32,
            end: 35,
            train: try TrainCode(parsing: "2234"),
            expectedArrival: .now - 5,
            nextCheck: .now - 1,
            in: database
        )
    }

    private func active() async throws -> [AccountID] {
        try await database.all("SELECT account_id FROM journeys WHERE status = 'ACTIVE' ORDER BY account_id") {
            try $0.decode(AccountID.self)
        }
    }

    /// A hundred journeys of yesterday and one of today cannot be ended.
    @Test func failingJourneys_holdUpNoOthers() async throws {
        try await refuse("UPDATE", of: "journeys", where: "OLD.account_id <= 101 AND NEW.status <> 'ACTIVE'")
        for account in AccountID(1)...100 { try await start(account) }
        try await start(201)
        try await database.execute("UPDATE journeys SET service_date = service_date - 1")
        try await start(101)
        try await start(202)
        let tracker = try SeatsDomain.current.tracker
        await #expect(throws: PostgresError.self) { _ = try await tracker.checkDue(limit: 100) }
        #expect(try await !active().contains(202))
        #expect(try await tracker.checkDue(limit: 100) == 0)
        #expect(try await active() == Array(1...101))
    }

    /// Three cars of 48 seats, of which some have occupants whose leases are over.
    private func seats(occupied count: Int64) async throws -> [SeatID] {
        for account in AccountID(1)...300 {
            try await PassengerStore().save(account: account, nickname: "n", image: "IMAGE_1", tags: [], in: database)
        }
        var seats: [SeatID] = []
        for code in 2401...2403 {
            let car = try CarAddress(train: "2234", code: "\(code)")
            try await database.transaction { try await CarStore().create(car, in: $0) }
            seats += try await CarStore().seatMap(of: car, in: database).seats.map(\.id)
        }
        for (seat, account) in zip(seats, AccountID(1)...AccountID(rawValue: count)) {
            let lease = Lease(journey: nil, destination: "시청", arrivesAt: .now - Double(1000 - account.rawValue))
            _ = try await database.run(OccupancyStore().insert(account: account, seat: seat, lease: lease))
        }
        return seats
    }

    @Test func failingLeases_holdUpNoOthers() async throws {
        try await refuse("DELETE", of: "occupancies", where: "OLD.account_id <= 100")
        _ = try await seats(occupied: 101)
        let seating = try SeatsDomain.current.seating
        await #expect(throws: PostgresError.self) { _ = try await seating.sweepOverdue(limit: 100) }
        #expect(try await seating.sweepOverdue(limit: 100) == 1)
        #expect(try await seating.sweepOverdue(limit: 100) == 0)
    }

    @Test func failingRequests_holdUpNoOthers() async throws {
        try await refuse("UPDATE", of: "yield_requests", where: "OLD.requester_id <= 200")
        let seat = try await seats(occupied: 1)[0]
        for requester in AccountID(101)...201 {
            _ = try await YieldRequestStore().insert(
                seat: seat,
                owner: SeatOwner(1),
                requester: SeatRequester(requester),
                amount: 0,
                lifetime: Double(requester.rawValue) - 500,
                in: database
            )
        }
        let exchange = try SeatsDomain.current.exchange
        await #expect(throws: PostgresError.self) { _ = try await exchange.expireOverdue(limit: 100) }
        #expect(try await exchange.expireOverdue(limit: 100) == 1)
        #expect(try await exchange.expireOverdue(limit: 100) == 0)
    }
}
