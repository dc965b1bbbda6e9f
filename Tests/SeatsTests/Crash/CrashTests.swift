import Contracts
import FoundationEssentials
import NIOHTTP1
import Postgres
import Synchronization
import TestKit
import Testing
import Values

@testable import Seats

/// 200 passengers compete for the 54 seats of one car on two copies of the service while sockets observe; copies and
/// PostgreSQL are killed at random moments. In the end nothing is lost, duplicated or shown wrongly.
///
/// `MADANG_CRASH_ROUNDS` sets the number of crashes, `MADANG_CRASH_SEED` the seed.
@Suite(.timeLimit(.minutes(60))) struct CrashTests {
    private static let passengers: [AccountID] = Array(AccountID(1)...200)
    private static let watchers = 24
    private static let car = "\(CrashPlayer.train) \(CrashPlayer.car)"

    @Test func randomCrashes_loseNoConfirmedState() async throws {
        let seed = setting("MADANG_CRASH_SEED") ?? 7250
        let rounds = Int(setting("MADANG_CRASH_ROUNDS") ?? 4)
        print("crash test: seed \(seed), \(rounds) rounds")
        let key = TestKey()
        try await key.published { authURL in
            let settings = ["max_connections": "200", "fsync": "on"]
            try await CrashHarness.run(schema: "seats", settings: settings, CrashService.copies) { _, harness in
                .init(
                    "seats",
                    environment: [
                        "DATABASE_URL": try harness.databaseURL, "AUTH_URL": authURL, "SEAT_REQUEST_TIME": "2",
                        // No server listens there, so no train is ever seen.
                        "SEOUL_URL": "http://127.0.0.1:9",
                    ]
                )
            } _: { harness, database in
                try await Self.addPassengers(database)
                try await Sightings.add([CrashPlayer.train, "2236"], to: database)
                let service = CrashService(harness: harness, key: key)
                let record = CrashRecord(PassengerObservations())
                try await Self.run(service, record, seed: seed, rounds: rounds)
                print("crash test: \(record.observations.withLock(\.messages)) snapshots; \(record.summary)")
                try await CrashCheck(service: service, record: record, database: database).check()
            }
        }
    }

    private func setting(_ name: String) -> UInt64? { ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) } }

    // MARK: Scenario

    /// Registers all passengers and gives each of them 1,000 credits.
    private static func addPassengers(_ database: PostgresClient) async throws {
        try await database.transaction { transaction in
            for account in passengers + (0..<watchers).map({ AccountID(rawValue: Int64(1000 + $0)) }) {
                try await PassengerStore().save(
                    account: account,
                    nickname: "승객 \(account)",
                    image: "IMAGE_\(account.rawValue % 6 + 1)",
                    tags: [],
                    in: transaction
                )
                try await LedgerStore().move(.reward, 1000, passenger: account, in: transaction)
            }
        }
    }

    private static func run(
        _ service: CrashService,
        _ record: CrashRecord<PassengerObservations>,
        seed: UInt64,
        rounds: Int
    ) async throws {
        let observers = (0..<watchers).map { CrashWatcher(number: $0, service: service, record: record) }
        for observer in observers { try await observer.look() }
        let path = "/trains?carCode=\(CrashPlayer.car)&trainCode=\(CrashPlayer.train)"
        let car = try #require(await service.send(.GET, path, 1, to: 0))
        let seats = try JSONDecoder().decode([SeatGroupBody].self, from: Data(car.text.utf8))
            .flatMap(\.seatStatus).map(\.seatId)
        #expect(seats.count == 54)

        try await withThrowingTaskGroup(of: Void.self) { watching in
            for observer in observers { watching.addTask { await observer.watch() } }
            try await withThrowingTaskGroup(of: Void.self) { playing in
                for account in passengers {
                    playing.addTask {
                        var player = CrashPlayer(
                            account: account,
                            seats: seats,
                            seed: seed,
                            service: service,
                            record: record
                        )
                        await player.play()
                    }
                }
                var random = SplitMix(state: seed)
                for round in 0..<rounds { try await crash(service, round, &random) }
                try await Task.sleep(for: .seconds(1))
                playing.cancelAll()
            }
            try await CrashCheck.untilAllSocketsAgree(service, record, sockets: watchers)
            watching.cancelAll()
        }
    }

    /// Kills and restarts a copy of the service, or every third time PostgreSQL.
    private static func crash(_ service: CrashService, _ round: Int, _ random: inout SplitMix) async throws {
        let harness = service.harness
        try await Task.sleep(for: .milliseconds(Int.random(in: 300..<1500, using: &random)))
        let pause = Duration.milliseconds(Int.random(in: 0..<500, using: &random))
        if round % 3 == 1 {
            service.outages.begin()
            try await harness.crash(nil, pause: pause)
            for copy in CrashService.copies { try await harness.waitUntilReady(copy) }
            try await Task.sleep(for: .milliseconds(500))
            service.outages.end()
        } else {
            let copy = Int.random(in: CrashService.copies.indices, using: &random)
            try await harness.crash(CrashService.copies[copy], pause: pause)
        }
    }
}
