import Contracts
import FoundationEssentials
import Postgres
import TestKit
import Testing

@testable import Seats

/// PostgreSQL's plans for frequent queries on filled tables.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct PlanTests {
    private static let car = CarAddress(storedTrain: "T7", code: "2429")

    @Test func frequentQueries_useIndexes() async throws {
        try await Past.fill()
        let plans = Plans()
        _ = try await CarStore().seatMap(of: Self.car, in: plans)
        let seat: SeatID = 77
        let requests = YieldRequestStore()
        _ = try await requests.latest(onSeat: seat, by: 11_000, in: plans)
        _ = try await requests.pending(onSeat: seat, in: plans)
        _ = try await requests.pending(by: 11_000, in: plans)
        _ = try await requests.overdue(limit: 100, except: [1], in: plans)
        let occupancies = OccupancyStore()
        _ = try await plans.run(occupancies.occupancies(of: 77, andOn: 78))
        _ = try await occupancies.overdue(limit: 100, except: [1], in: plans)
        _ = try await plans.run(PassengerStore().presence(of: 77, taking: 78))
        let journeys = JourneyStore()
        _ = try await journeys.page(of: 7, before: nil, limit: 11, in: plans)
        _ = try await journeys.active(of: 7, in: plans)
        _ = try await journeys.takeDue(limit: 100, forSeconds: 0, in: plans)
        _ = try await journeys.outlived(limit: 100, except: [1], in: plans)
        let live = LiveStore()
        _ = try await live.messages(
            after: [(LiveTopic.car(Self.car).name, 5), ("owner/77/77", 5)],
            limit: 100,
            in: plans
        )
        _ = try await live.topics(ofLastSeconds: 10, in: plans)
        _ = try await live.undelivered(on: .owner(seat: 77, account: 77), in: plans)
        _ = try await live.lastID(of: .car(Self.car), in: plans)
        let timers = TimerStore()
        _ = try await timers.nextRequestExpiry(in: plans)
        _ = try await timers.nextLeaseEnd(in: plans)
        _ = try await timers.nextJourneyCheck(in: plans)
        _ = try await timers.nextAlert(in: plans)
        _ = try await OperatorLookupStore().seats(of: Self.car, in: plans)
        #expect(plans.all.count == 21)
        for plan in plans.all { #expect(!plan.contains("Seq Scan"), "\(plan)") }
    }

    /// The rows that a query reads depend on its answer and not on the size of the tables.
    @Test func views_readOnlyReturnedRows() async throws {
        try await Past.fill()
        let plans = Plans(counts: true)
        let map = try await CarStore().seatMap(of: Self.car, in: plans)
        _ = try await CarStore().watchedCar(of: 77, in: Self.car.train, plans)
        #expect(try await JourneyStore().page(of: 7, before: nil, limit: 11, in: plans).count == 11)
        _ = try await FavoriteStore().favorites(of: 7, after: nil, limit: 11, in: plans)
        #expect(plans.all.count == 4)
        for plan in plans.all { #expect(Plans.rows(of: plan) <= 8 * map.seats.count, "\(plan)") }
    }
}

/// The rows of some days of operation.
private enum Past {
    static func fill() async throws {
        let client = TestDatabase.current.client
        try await client.execute("INSERT INTO lines (name, number) VALUES ('LINE_2', '2')")
        try await client.execute(
            "INSERT INTO stations VALUES (1, 'LINE_2', 'A', 0, 0, 0, 0), (2, 'LINE_2', 'B', 60, 1, 60, 1)"
        )
        try await client.batch([
            "INSERT INTO passengers (account_id, nickname, image) SELECT n, 'P', 'IMAGE_1' FROM generate_series(1, 20000) n",
            "INSERT INTO cars (train_code, car_code) SELECT 'T' || n, '2429' FROM generate_series(1, 400) n",
            """
            INSERT INTO seats (car_id, section, location, type)
            SELECT c.id, 'NORMAL_A_12', n, 'NORMAL' FROM cars c, generate_series(0, 47) n ORDER BY c.id, n
            """,
            """
            INSERT INTO occupancies (seat_id, account_id, destination, arrives_at)
            SELECT n, n, 'B', now() + make_interval(secs => n) FROM generate_series(1, 10000) n
            """,
            """
            INSERT INTO yield_requests (seat_id, owner_id, requester_id, amount, status, expires_at)
            SELECT n % 10000 + 1, n % 10000 + 1, 10001 + n % 9999, 5,
                CASE WHEN n % 20 = 0 THEN 'PENDING' ELSE 'REJECTED' END, now() + make_interval(secs => 100 + n)
            FROM generate_series(1, 40000) n ON CONFLICT DO NOTHING
            """,
            """
            INSERT INTO journeys (account_id, start_station_id, end_station_id, train_code, status, expected_arrival,
                next_check)
            SELECT n % 2000 + 1, 1, 2, 'T7', 'ARRIVED', now(), now() FROM generate_series(1, 40000) n
            """,
            """
            INSERT INTO journeys (account_id, start_station_id, end_station_id, train_code, status, expected_arrival,
                next_check)
            SELECT n, 1, 2, 'T7', 'ACTIVE', now(), now() + make_interval(secs => n) FROM generate_series(1, 4000) n
            """,
            """
            INSERT INTO live_messages (topic, body, created_at)
            SELECT 'car/T' || n % 400 || '/2429', '[]', now() - make_interval(secs => n / 10.0)
            FROM generate_series(1, 30000) n
            """,
            """
            INSERT INTO alerts (account_id, kind, arguments, due_at)
            SELECT n, 'K', '{}', now() + make_interval(secs => n) FROM generate_series(1, 4000) n
            """,
            """
            INSERT INTO favorites (account_id, name, start_station_id, end_station_id)
            SELECT n, 'F', 1, 2 FROM generate_series(1, 20000) n
            """,
            "INSERT INTO watched_cars SELECT n, 'T7', '2429' FROM generate_series(1, 20000) n",
        ])
        try await TestDatabase.current.analyze()
    }
}
