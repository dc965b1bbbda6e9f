import StackKit
import Values

/// Three hosts as network namespaces: a change of a seat to 10,000 sockets at three gateways, and messages and seats
/// while one part of the cluster after the other fails.
struct ClusterBench: BenchSuite {
    let name = "cluster"
    let summary =
        "three hosts: fan-out to 10,000 sockets (2,000 per second of --seconds), and faults under messages and seats"
    let tools = [
        BenchTool(command: "ip", package: "iproute2"), BenchTool(command: "nats-server", package: "nats-server"),
        BenchTool(command: "psql", package: "postgresql"),
    ]
    let runsWhenNamedOnly = true

    private static let train = "2001"
    private static let limits = [
        "RATE_ADDRESS": "0", "RATE_ACCOUNT": "0", "MAX_CONNECTIONS": "20000", "MAX_CONNECTIONS_PER_ADDRESS": "20000",
    ]

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        let sockets = min(10_000, Int(bench.duration / .milliseconds(500)) * 1000)
        try OpenFiles.allow(UInt(sockets) + 6384)
        bench.report("starting three hosts")
        return try await BenchCluster.with(bench, environment: Self.limits) { cluster in
            let fanOut = try await fanOut(to: sockets, cluster, bench)
            for result in fanOut { bench.report("\(result.name): \(Figure.text(result.ours)) \(result.unit)") }
            return fanOut + (try await ClusterFaults(cluster: cluster, bench: bench).run())
        }
    }

    /// A passenger sits down and gets up by each gateway in turn, each time after all sockets have the last change.
    private func fanOut(to sockets: Int, _ cluster: BenchCluster, _ bench: BenchContext) async throws -> [BenchResult] {
        let passengers = try await cluster.gateways.enumerated().asyncMap { number, gateway in
            try await LivePassenger.signIn(
                gateway: gateway,
                sandbox: cluster.sandbox,
                number: number,
                train: Self.train,
                car: Self.train
            )
        }
        let loads = passengers.map {
            LiveLoad(url: $0.socket, destination: "/topic/seat.\(Self.train)", token: $0.token)
        }
        let outcome: Result<[BenchResult], any Error>
        do {
            bench.report("connecting \(Figure.text(Double(sockets))) subscribers")
            for (number, load) in loads.enumerated() {
                let count = (sockets + number) / loads.count
                for begun in stride(from: 0, to: count, by: 500) {
                    try await load.connect(min(500, count - begun))
                    try await load.subscribe()
                }
            }
            try await Task.sleep(for: .seconds(2))
            bench.report("changing a seat now and then")
            outcome = .success(try await changes(passengers, loads, sockets))
        } catch {
            outcome = .failure(error)
        }
        for load in loads { try? await load.close() }
        return try outcome.get()
    }

    private func changes(
        _ passengers: [LivePassenger],
        _ loads: [LiveLoad],
        _ sockets: Int
    ) async throws -> [BenchResult] {
        var times: [Double] = []
        for round in 0..<10 {
            for passenger in passengers {
                for change in [passenger.sit, passenger.leave] {
                    let before = loads.map(\.delivered)
                    let begin = ContinuousClock.now
                    try await change()
                    for (number, load) in loads.enumerated() {
                        try await load.wait(forDeliveries: before[number] + (sockets + number) / loads.count)
                    }
                    // The first round opens connections.
                    if round > 0 { times.append((ContinuousClock.now - begin) / .milliseconds(1)) }
                    try await Task.sleep(for: .milliseconds(100))
                }
            }
        }
        times.sort()
        let name = "last delivery to \(Figure.text(Double(sockets))) sockets after the request"
        return [
            BenchResult(name: "\(name), p50 of \(times.count)", unit: "ms", ours: BenchResult.median(times)),
            BenchResult(name: "p99", unit: "ms", ours: times[times.count * 99 / 100], goal: .atMost(100)),
            BenchResult(name: "longest", unit: "ms", ours: times.last ?? 0),
        ]
    }
}

extension Sequence {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
