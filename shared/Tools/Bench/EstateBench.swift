import NIOCore
import PostgresServer
import StackKit

/// Requests of Anlaka's map through the gateway, with a million listings, each for a different screen.
struct EstateBench: BenchSuite {
    let name = "estate"
    let summary = "the map through the gateway: clusters and radius, with 1,000,000 listings stored"
    let tools = [BenchTool(command: "psql", package: "postgresql")]

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        try OpenFiles.allow(16_384)
        return try await bench.withPostgres { server in
            let database = Database(server: server)
            try await database.bootstrap()
            let rig = try GatedRig("estate", bench, database)
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
        _ rig: GatedRig,
        _ town: EstateTown,
        _ token: String,
        _ count: Int
    ) async throws -> [BenchResult] {
        let requests = (0..<count).map { number in
            rig.request(town.path(call, number), key: AppKey.anlaka, token, at: number, of: call.rate)
        }
        return try await StormLoad.times(requests, of: call.title, reach: call.reach)
    }
}

extension GatedRig {
    /// The number of listings in the pins of a screen.
    fileprivate func listings(_ path: String, _ token: String) async throws -> Int {
        let body = try await phone(key: AppKey.anlaka).send("", .get, path, headers: [("Authorization", token)])
        guard let clusters = body["clusters"]?.elements, let lone = body["estates"]?.elements else {
            throw StackError("the map answers something else")
        }
        return try clusters.reduce(lone.count) { $0 + Int(try $1.number("count")) }
    }
}
