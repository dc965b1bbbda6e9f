import FoundationEssentials
import StackKit

/// A rolling upgrade of all services from the version in production, if `make previous` has built it, to this one.
struct UpgradeBench: BenchSuite {
    let name = "upgrade"
    let summary = "every service replaced by the next version under 500 requests/s and 1,000 sockets"
    let tools = [BenchTool(command: "psql", package: "postgresql")]

    /// The programs of the version in production; nil if they are not built.
    static var previous: String? {
        let folder = FileManager.default.currentDirectoryPath + "/.local/previous/programs"
        return FileManager.default.fileExists(atPath: "\(folder)/commit") ? folder : nil
    }

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        try OpenFiles.allow(16_384)
        if Self.previous == nil { bench.report("from this version to itself; `make previous` builds the one before") }
        let upgrade = RollingUpgrade(
            old: Self.previous ?? bench.executables,
            new: bench.executables,
            // Less for a shorter measurement than the usual five seconds.
            rate: min(500, max(20, Int(bench.duration / .milliseconds(10)))),
            sockets: min(1000, max(40, Int(bench.duration / .milliseconds(5)))),
            steady: bench.duration * 2,
            rollsBack: false,
            report: bench.report
        )
        let record = try await bench.withPostgres { try await upgrade.run(on: $0, files: bench.scratch) }
        for sentence in (record.refusals + record.lost + record.doubled).prefix(20) { bench.report(sentence) }
        let before = record.times("before")
        return [
            BenchResult(
                name: "answered before the upgrade, of \(upgrade.rate) sent",
                unit: "requests/s",
                ours: Double(before.count) / (upgrade.steady / .seconds(1))
            ),
            BenchResult(
                name: "refused",
                unit: "requests and sockets",
                ours: Double(record.refusals.count),
                goal: .atMost(0)
            ),
            BenchResult(
                name: "lost",
                unit: "messages, events and pushes",
                ours: Double(record.lost.count),
                goal: .atMost(0)
            ),
            BenchResult(
                name: "doubled",
                unit: "messages, events and pushes",
                ours: Double(record.doubled.count),
                goal: .atMost(0)
            ),
            BenchResult(
                name: "99 of 100 requests are answered within",
                unit: "ms",
                ours: Self.within(record.times("upgrade")),
                yardstick: .init(name: "the same before the upgrade", value: Self.within(before))
            ),
            BenchResult(
                name: "phone sockets closed, and opened again",
                unit: "sockets",
                ours: Double(record.reconnects),
                goal: .atMost(0)
            ),
        ]
    }

    private static func within(_ times: [Double]) -> Double { times.isEmpty ? 0 : times[times.count * 99 / 100] }
}
