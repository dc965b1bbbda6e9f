import Contracts
import FoundationEssentials
import Logging
import NIOHTTP1
import Postgres
import PostgresServer
import TestKit
import Testing

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
        let settings = ["shared_buffers": "64MB", "max_connections": "200", "fsync": "on"]
        let server = try await TestServer.another(settings: settings)
        try await server.start(detached: false)
        let key = TestKey()
        do {
            try await key.published { url in
                let rig = try CrashRig(server: server, key: key, authURL: url)
                do {
                    try await Self.run(rig, seed: seed, rounds: rounds)
                } catch {
                    for copy in 0..<CrashRig.copyCount { print("copy \(copy):\n\(rig.text(copy))") }
                    try await rig.shutDown()
                    throw error
                }
                try await rig.shutDown()
            }
        } catch {
            try await server.stop(.immediate)
            throw error
        }
        try await server.stop(.immediate)
    }

    private func setting(_ name: String) -> UInt64? { ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) } }

    // MARK: Scenario

    private static func run(_ rig: CrashRig, seed: UInt64, rounds: Int) async throws {
        let configuration = try PostgresConfiguration(
            url: rig.server.adminURL(),
            schema: "seats",
            applicationName: "test"
        )
        let database = PostgresClient(configuration, logger: .quiet)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await database.run() }
            defer { group.cancelAll() }
            try await database.execute("CREATE SCHEMA seats")
            for copy in 0..<CrashRig.copyCount { try await rig.start(copy) }
            try await enter(database)
            let record = CrashRecord()
            try await fight(rig, record, seed: seed, rounds: rounds)
            print("crash test: \(record.summary)")
            try await CrashVerdict(rig: rig, record: record, database: database).check()
        }
    }

    /// Registers all passengers and gives each of them 1,000 credits.
    private static func enter(_ database: PostgresClient) async throws {
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

    private static func fight(_ rig: CrashRig, _ record: CrashRecord, seed: UInt64, rounds: Int) async throws {
        let observers = (0..<watchers).map { CrashWatcher(number: $0, rig: rig, record: record) }
        for observer in observers { try await observer.look() }
        let path = "/trains?carCode=\(CrashPlayer.car)&trainCode=\(CrashPlayer.train)"
        let car = try #require(await rig.send(.GET, path, 1, to: 0))
        let seats = try JSONDecoder().decode([SeatGroupBody].self, from: Data(car.text.utf8))
            .flatMap(\.seatStatus).map(\.seatId)
        #expect(seats.count == 54)

        try await withThrowingTaskGroup(of: Void.self) { watching in
            for observer in observers { watching.addTask { await observer.watch() } }
            try await withThrowingTaskGroup(of: Void.self) { playing in
                for account in passengers {
                    playing.addTask {
                        var player = CrashPlayer(account: account, seats: seats, seed: seed, rig: rig, record: record)
                        await player.play()
                    }
                }
                var fate = SplitMix(state: seed)
                for round in 0..<rounds { try await strike(rig, round, &fate) }
                try await Task.sleep(for: .seconds(1))
                playing.cancelAll()
            }
            try await CrashVerdict.untilEverybodySees(rig, record, sockets: watchers)
            watching.cancelAll()
        }
    }

    /// Kills and restarts a copy of the service, or every third time PostgreSQL.
    private static func strike(_ rig: CrashRig, _ round: Int, _ fate: inout SplitMix) async throws {
        try await Task.sleep(for: .milliseconds(Int.random(in: 300..<1500, using: &fate)))
        let pause = Duration.milliseconds(Int.random(in: 0..<500, using: &fate))
        if round % 3 == 1 {
            rig.weather.begin()
            try await rig.server.kill()
            try await Task.sleep(for: pause)
            try await rig.server.start(detached: false)
            for copy in 0..<CrashRig.copyCount { try await rig.waitUntilReady(copy) }
            try await Task.sleep(for: .milliseconds(500))
            rig.weather.end()
        } else {
            let copy = Int.random(in: 0..<CrashRig.copyCount, using: &fate)
            await rig.kill(copy)
            try await Task.sleep(for: pause)
            try await rig.start(copy)
        }
    }
}
