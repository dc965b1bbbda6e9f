import NIOCore
import PostgresServer

/// The map of Anlaka's phones through the gateway, on a million listings, a screen of its own for each request.
struct EstateBench: BenchSuite {
    let name = "estate"
    let summary = "the map through the gateway: clusters and radius, with 1,000,000 listings stored"
    let tools = [BenchTool(command: "psql", package: "postgresql")]

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        try OpenFiles.allow(16_384)
        return try await bench.withPostgres { server in
            let database = Database(server: server)
            try await database.bootstrap()
            let rig = try EstateRig(bench, database)
            let town = EstateTown()
            return try await rig.withHouse {
                bench.report("building a town of \(EstateTown.listings) listings, about a minute")
                try await town.build(server)
                let token = try await rig.join()
                var listings = 0
                for number in 0..<20 { listings += try await rig.listings(town.path(.clusters, number), token) }
                var results = [
                    BenchResult(
                        name: "listings on a screen's pins, mean",
                        unit: "",
                        ours: Double(listings) / 20,
                        goal: .atLeast(10_000)
                    )
                ]
                for call in EstateTown.Call.allCases {
                    bench.report("asking for \(call.title), \(call.rate) times a second")
                    _ = try await Self.ask(call, rig, town, token, 2 * call.rate)
                    let count = max(200, Int(bench.duration / .seconds(1)) * call.rate)
                    results += try await Self.ask(call, rig, town, token, count)
                }
                return results
            }
        }
    }

    private static func ask(
        _ call: EstateTown.Call,
        _ rig: EstateRig,
        _ town: EstateTown,
        _ token: String,
        _ count: Int
    ) async throws -> [BenchResult] {
        let requests = (0..<count).map { number in
            StormLoad.Request(
                port: rig.gateway,
                text: """
                    GET \(town.path(call, number)) HTTP/1.1\r\nHost: madang\r\nSeSACKey: \(Seed.anlakaKey)\r\n\
                    Authorization: \(token)\r\n\r\n
                    """,
                delay: .microseconds(Int64(number * 1_000_000 / call.rate))
            )
        }
        let answers = try await StormLoad.run(requests, patience: .seconds(60))
        guard answers.allSatisfy(\.isGood) else {
            throw StackError("\(call.title) failed: \(answers.first { !$0.isGood }?.status ?? 0)")
        }
        let times = answers.map { Double($0.time.nanoseconds) / 1_000_000 }.sorted()
        return [
            BenchResult(name: "\(call.title), median", unit: "ms", ours: times[times.count / 2]),
            BenchResult(
                name: "\(call.title), 99 of 100 within",
                unit: "ms",
                ours: times[times.count * 99 / 100],
                goal: call.reach.map { .atMost($0) }
            ),
        ]
    }
}
