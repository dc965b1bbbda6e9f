import StackKit

/// Upgrades of the gateway in a row, of which no client may notice more than a short pause.
struct HandoverBench: BenchSuite {
    let name = "handover"
    let summary = "the gateway upgraded ten times in a row under 10,000 plain WebSockets and 3,000 requests/s"
    let tools: [BenchTool] = []

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        // Each WebSocket has two ends in this process, those of a phone and of its service, and two in the gateway.
        let files = OpenFiles.most
        try OpenFiles.allow(min(files, 21_000))
        let load = HandoverLoad(
            // Less for a shorter measurement than the usual five seconds.
            sockets: min(10_000, Int(bench.duration / .milliseconds(1)) * 2, (Int(files) - 600) / 2),
            rate: 3000,
            rounds: 10,
            report: bench.report
        )
        let tally = try await load.run(executables: bench.executables, scratch: bench.scratch)
        for sentence in tally.sentences.prefix(20) { bench.report(sentence) }
        func none(_ name: String, _ unit: String, _ count: Int) -> BenchResult {
            BenchResult(name: name, unit: unit, ours: Double(count), goal: .atMost(0))
        }
        return [
            BenchResult(name: "WebSockets open in the end, of \(load.sockets)", unit: "", ours: Double(tally.open)),
            BenchResult(name: "answered, of \(load.rate) sent", unit: "requests/s", ours: tally.answersPerSecond),
            none("closed", "connections", tally.closed),
            none("reset", "connections", tally.reset),
            none("refused", "requests", tally.refused),
            none("lost", "frames", tally.lost),
            none("doubled", "frames", tally.doubled),
            BenchResult(name: "echo of a frame between upgrades, median", unit: "ms", ours: tally.usual),
            BenchResult(
                name: "pause of frames during upgrades, 99 of 100 within",
                unit: "ms",
                ours: tally.pause(99),
                goal: .atMost(20)
            ),
            BenchResult(name: "the longest", unit: "ms", ours: tally.pause(100)),
            BenchResult(
                name: "the old gateway is gone after, at most",
                unit: "s",
                ours: tally.ends.max() ?? 0,
                goal: .atMost(5)
            ),
        ]
    }
}
