import AppClients
import Apps
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
            let fixture = try GatewayFixture("estate", bench, database)
            let dataset = EstateDataset()
            return try await fixture.withPrograms {
                bench.report("creating \(EstateDataset.listings) listings, about a minute")
                try await dataset.build(server)
                let token = try await fixture.join()
                var listings = 0
                for number in 0..<20 { listings += try await fixture.listings(dataset.path(.clusters, number), token) }
                var results = [
                    BenchResult(
                        name: "listings on a screen's pins, mean",
                        unit: "",
                        ours: Double(listings) / 20,
                        goal: .atLeast(10_000)
                    )
                ]
                for call in EstateDataset.Call.allCases {
                    bench.report("asking for \(call.title), \(call.rate) times a second")
                    _ = try await Self.ask(call, fixture, dataset, token, 2 * call.rate)
                    let count = max(200, Int(bench.duration / .seconds(1)) * call.rate)
                    results += try await Self.ask(call, fixture, dataset, token, count)
                }
                return results
            }
        }
    }

    private static func ask(
        _ call: EstateDataset.Call,
        _ fixture: GatewayFixture,
        _ dataset: EstateDataset,
        _ token: String,
        _ count: Int
    ) async throws -> [BenchResult] {
        let requests = (0..<count).map { number in
            fixture.request(dataset.path(call, number), key: AppKey.anlaka, token, at: number, of: call.rate)
        }
        return try await BurstLoad.times(requests, of: call.title, reach: call.reach)
    }
}

extension GatewayFixture {
    /// The number of listings in the pins of a screen.
    fileprivate func listings(_ path: String, _ token: String) async throws -> Int {
        let client: AnlakaClient = client(key: AppKey.anlaka)
        let body = try await client.send(.get, path, headers: ["Authorization": token]).json()
        guard let clusters = body["clusters"]?.elements, let single = body["estates"]?.elements else {
            throw StackError("the map answers something else")
        }
        return try clusters.reduce(single.count) { $0 + Int(try $1.number("count")) }
    }
}
