import FoundationEssentials
import Postgres
import PostgresServer
import StackKit

/// Seats under contention compared with pgbench: many passengers take and leave the 54 seats of one car. pgbench
/// executes the same statements in the same order on a copy of the database on the same server, without HTTP,
/// identities or rules.
///
/// Both count seats that were taken and left again; a passenger who finds a seat taken tries another one. Both are
/// measured in turn (`Rounds`).
struct SeatsBench: BenchSuite {
    let name = "seats"
    let summary = "32 passengers take and leave the 54 seats of a car, beside pgbench with the same SQL"
    let tools = [BenchTool(command: "psql", package: "postgresql")]

    private static let passengers = 32
    private static let clients = [4, 8, 16, 32]
    private static let yardstick = "yardstick"

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        try await bench.withPostgres { try await measure($0, bench) }
    }

    private func measure(_ server: PostgresServer, _ bench: BenchContext) async throws -> [BenchResult] {
        let database = Database(server: server)
        try await database.bootstrap()
        let fixture = SeatsFixture(port: try FreePort.find(), databaseURL: try database.url(role: "seats"))
        // The service creates its tables and the car; then both databases start with the same data.
        let seats = try await fixture.withService(bench) {
            _ = try await server.withClient(of: Database.name) { client in
                for sighting in SeatsFixture.sightings { try await client.execute(sighting) }
            }
            return try await fixture.seats()
        }
        try await Self.copy(Database.name, to: Self.yardstick, on: server)

        let script = "\(bench.scratch)/seats.sql"
        try SeatsScript.text(firstSeat: seats[0], lastSeat: seats[seats.count - 1])
            .write(toFile: script, atomically: false, encoding: .utf8)
        let pgbench = PGBench(program: "\(server.binaries)/pgbench", url: try server.adminURL(database: Self.yardstick))
        // Each round of pgbench prepares all statements of the script anew.
        let seconds = max(2, bench.secondsOfRound)

        return try await fixture.withService(bench) {
            let rounds = try await bench.interleave(PoolContender.all(clients: Self.clients), name: \.name) {
                switch $0 {
                case .ours: return try await Self.load(fixture, seats, seconds)
                case .pgbench(let clients):
                    let before = try await Self.pairs(server)
                    let time = try await pgbench.time(script: script, clients: clients, seconds: seconds)
                    return Double(try await Self.pairs(server) - before) / time
                }
            }
            return [
                BenchResult(
                    name: "seats taken and left, \(Self.passengers) passengers",
                    unit: "pairs/s",
                    samples: rounds.samples(of: .ours),
                    yardstick: rounds.yardstick("-M prepared", clients: Self.clients),
                    goal: .ratioAtLeast(0.9)
                )
            ]
        }
    }

    /// The seats that passengers of the service take and leave in a second.
    ///
    /// - Throws: `StackError` if the service made a mistake.
    private static func load(_ fixture: SeatsFixture, _ seats: [Int64], _ seconds: Int) async throws -> Double {
        let start = ContinuousClock.now
        let load = SeatsLoad(port: fixture.port, seats: seats)
        let outcome = try await load.run(passengers: passengers, for: .seconds(seconds))
        if let defect = outcome.defects.first { throw StackError("the service failed under load: \(defect)") }
        return Double(outcome.pairs) / ((.now - start) / .seconds(1))
    }

    // MARK: Reference database

    private static func copy(_ database: String, to copy: String, on server: PostgresServer) async throws {
        _ = try await server.withClient(of: "postgres") {
            try await $0.execute("CREATE DATABASE \(identifier: copy) TEMPLATE \(identifier: database)")
            return try await $0.execute("ALTER DATABASE \(identifier: copy) SET search_path = seats")
        }
        _ = try await server.withClient(of: copy) {
            try await $0.execute(
                """
                INSERT INTO seats.passengers (account_id, nickname, image)
                SELECT 1001 + n, '승객', 'IMAGE_1' FROM generate_series(0, 63) AS n
                """
            )
        }
    }

    /// The number of seats that pgbench has taken and left again.
    private static func pairs(_ server: PostgresServer) async throws -> Int {
        try await server.withClient(of: yardstick) {
            try await $0.one("SELECT count(*) FROM seats.transfers WHERE kind = 'CLAW_BACK'") {
                try $0.decode(Int.self)
            }
        }
    }
}
