import ArgumentParser
import FoundationEssentials
import StackKit

/// `bench [suite…]`: runs measurements, prints the figures with their references, and fails if a goal is missed.
@main struct BenchCommand: AsyncParsableCommand {
    /// All suites, in the order of execution.
    static let suites: [any BenchSuite] = [
        SQLBench(), AnnounceBench(), LocksBench(), FailoverBench(), GatewayBench(), TLSBench(), SeatsBench(),
        LiveBench(), PeopleBench(),
        RefreshBench(), PayBench(), WorkforceBench(), EstateBench(), CommunityBench(), ChatBench(), ChatCopiesBench(),
        ChatNATSBench(), PaymentsBench(),
        NotificationsBench(), ClustersBench(),
        ConsoleBench(), StartBench(), SlowBench(), UpgradeBench(), HandoverBench(), BuildBench(),
        ScaleBench(), RestoreBench(), MoveBench(), ClusterBench(),
    ]

    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measures Madang beside its yardsticks, on this machine in one run, and prints ratios.",
        discussion: """
            Suites:
            \(suites.map { "  \($0.name): \($0.summary)" }.joined(separator: "\n"))

            Measures what `make up` has built: release mode, kept open for tests. A suite whose programs are not
            installed is skipped.
            Examples:
              bench
              bench sql --seconds 10
            """
    )

    @Argument(help: "The suites to run; without one all but build, scale, restore, move and cluster.")
    var names: [String] = []

    @Option(help: "How long one figure is measured, in seconds.")
    var seconds: Double = 5

    mutating func validate() throws {
        for name in names where !Self.suites.contains(where: { $0.name == name }) {
            let known = Self.suites.map(\.name).joined(separator: ", ")
            throw ValidationError("There is no suite named \(name); there are: \(known).")
        }
        guard seconds > 0 else { throw ValidationError("--seconds takes a number above 0.") }
    }

    func run() async throws {
        let chosen = Self.suites.filter { names.isEmpty ? !$0.runsWhenNamedOnly : names.contains($0.name) }
        var missed = 0
        print("Measures \(Executables.folder): release mode, kept open for tests, without debug information.")
        for suite in chosen {
            print("\n\(suite.name): \(suite.summary)")
            if let absent = suite.tools.first(where: { Executables.find($0.command) == nil }) {
                print("  skipped: \(absent.command) is not installed; apt-get install \(absent.package)")
                continue
            }
            let results = try await measure(suite)
            BenchTable(results: results).lines.forEach { print($0) }
            missed += results.count { $0.isReached == false }
        }
        if missed > 0 { throw StackError("\(missed) of the goals above were not reached in this run") }
    }

    private func measure(_ suite: any BenchSuite) async throws -> [BenchResult] {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "madang-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        let context = BenchContext(
            executables: Executables.folder,
            scratch: scratch.path,
            duration: .seconds(seconds),
            report: { print("  … \($0)") }
        )
        return try await suite.run(context)
    }
}
