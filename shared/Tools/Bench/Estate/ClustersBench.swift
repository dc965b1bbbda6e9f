import Clustering
import Glibc

/// HDBSCAN of 200,000 points compared with Python's `hdbscan`, exact, and `fast_hdbscan`, on the same points: time, the
/// weight of the spanning tree, and the agreement of the labels. `PYTHON` is a Python with both libraries; without them
/// only Madang's time is measured.
struct ClustersBench: BenchSuite {
    let name = "clusters"
    let summary = "HDBSCAN of 200,000 points, beside Python's hdbscan and fast_hdbscan (PYTHON=…, with both installed)"
    let tools: [BenchTool] = []

    private static let count = 200_000
    private static let few = 10_000
    private static let rounds = 5

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        let points = ClustersDataset.points(Self.count)
        bench.report("clustering \(Self.few) and \(Self.count) points")
        let small = Self.time { _ = HDBSCAN().cluster(ClustersDataset.points(Self.few)) }
        let result = HDBSCAN().cluster(points)
        let time = Self.time { _ = HDBSCAN().cluster(points) }
        bench.report("the same in Python")
        let peers = try await ClustersPeers(points, bench)
        var results = [
            BenchResult(
                name: "\(Self.count) points, \(result.clusterCount) clusters",
                unit: "points/s",
                ours: Double(Self.count) / time,
                yardstick: peers.map { .init(name: $0.best.name, value: Double(Self.count) / $0.best.seconds) },
                goal: peers == nil ? nil : .ratioAtLeast(5)
            ),
            BenchResult(
                name: "growth from \(Self.few) points on, beside n log n",
                unit: "×",
                ours: (time / small) / (Self.work(Self.count) / Self.work(Self.few)),
                goal: .atMost(1)
            ),
        ]
        guard let peers else {
            bench.report(
                "PYTHON has no hdbscan and fast_hdbscan; pip install hdbscan fast_hdbscan, and set PYTHON to it"
            )
            return results
        }
        results.append(
            BenchResult(
                name: "weight of the spanning tree, off the exact one",
                unit: "parts in a billion",
                ours: abs(result.treeWeight - peers.treeWeight) / peers.treeWeight * 1e9,
                goal: .atMost(1)
            )
        )
        results.append(
            BenchResult(
                name: "adjusted Rand index against hdbscan",
                unit: "",
                ours: RandIndex.adjusted(result.labels, peers.exact),
                yardstick: .init(name: "fast_hdbscan's", value: RandIndex.adjusted(peers.fast, peers.exact)),
                goal: .ratioAtLeast(1)
            )
        )
        return results
    }

    private static func work(_ count: Int) -> Double { Double(count) * log2(Double(count)) }

    /// The median of several rounds, in seconds.
    private static func time(_ body: () -> Void) -> Double {
        let times = (0..<rounds).map { _ in
            let start = ContinuousClock.now
            body()
            return (.now - start) / .seconds(1)
        }
        return times.sorted()[rounds / 2]
    }
}
