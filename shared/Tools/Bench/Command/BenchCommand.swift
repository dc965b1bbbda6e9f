import ArgumentParser
import StackKit

/// `bench [suite…]`: runs measurements, prints the figures with their references, and fails if a goal is missed.
@main struct BenchCommand: AsyncParsableCommand {
    /// All suites, in the order of execution.
    static let suites: [any BenchSuite] = [
        SQLBench(), AnnounceBench(), LocksBench(), FailoverBench(), GatewayBench(), TLSBench(), SeatsBench(),
        SeatMapsBench(),
        LiveBench(), PeopleBench(),
        RefreshBench(), PayBench(), WorkforceBench(), EstateBench(), CommunityBench(), ChatBench(), ChatCopiesBench(),
        ChatNATSBench(), PaymentsBench(),
        NotificationsBench(), ClustersBench(),
        ConsoleBench(), StartBench(), SlowBench(), UpgradeBench(), HandoverBench(), BuildBench(),
        GrowthBench(), BudgetBench(), ScaleBench(), RestoreBench(), MoveBench(), ClusterBench(),
    ]

    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measures Madang beside its yardsticks, on this machine in one run, and prints ratios.",
        discussion: """
            Suites:
            \(suites.map { "  \($0.name): \($0.summary)" }.joined(separator: "\n"))

            Measures what `make up` has built: release mode, kept open for tests. A suite whose programs are not
            installed is skipped. Contenders are measured in turn, round after round; a figure is the median of the
            rounds, with the minimum and the spread, and a ratio the median of each round's. Exits with 1 if a goal was
            missed or a suite failed; the others run nevertheless. docs/bench/README.md says more.
            Examples:
              bench
              bench sql --seconds 10
              bench sql gateway --save docs/bench/today.json
              bench --compare docs/bench/before.json docs/bench/today.json
            """
    )

    @Argument(help: "The suites to run; without one all but those that run when named: \(whenNamed).")
    var names: [String] = []

    @Option(help: "How long one figure is measured, in seconds, all rounds together.")
    var seconds: Double = 5

    @Option(help: "How often each contender is measured in turn.")
    var rounds = 5

    @Option(help: "Begins no further suite after this number of seconds.")
    var within: Double?

    @Option(help: ArgumentHelp("A file for the results, as JSON.", valueName: "file"))
    var save: String?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Runs nothing, and compares two files of --save: 'slower' is only what is beyond the noise.",
            valueName: "before after"
        )
    )
    var compare: [String] = []

    private static let whenNamed = suites.filter(\.runsWhenNamedOnly).map(\.name).joined(separator: ", ")

    mutating func validate() throws {
        for name in names where !Self.suites.contains(where: { $0.name == name }) {
            let known = Self.suites.map(\.name).joined(separator: ", ")
            throw ValidationError("There is no suite named \(name); there are: \(known).")
        }
        guard seconds > 0 else { throw ValidationError("--seconds takes a number above 0.") }
        guard (1...1000).contains(rounds) else { throw ValidationError("--rounds takes a number from 1 to 1000.") }
        guard compare.isEmpty || compare.count == 2 else {
            throw ValidationError("--compare takes two files, the older one first.")
        }
    }

    func run() async throws {
        if compare.count == 2 {
            let (before, after) = (try BenchReport.read(compare[0]), try BenchReport.read(compare[1]))
            try ReportComparison(before, after).lines.forEach { print($0) }
            return
        }
        var report = await BenchReport.begun(seconds: seconds, rounds: rounds)
        // A path that cannot be written fails now, not after the measurements.
        if let save { try report.save(to: save) }
        print("Measures \(Executables.folder): release mode, kept open for tests, without debug information.")
        print("\(report.origin); \(rounds) rounds.")
        let run = BenchRun(
            suites: Self.suites.filter { names.isEmpty ? !$0.runsWhenNamedOnly : names.contains($0.name) },
            duration: .seconds(seconds),
            rounds: rounds,
            limit: within.map { .seconds($0) },
            say: { print($0) }
        )
        try await run.run { suite in
            report.suites.append(suite)
            if let save { try report.save(to: save) }
        }
        if let complaint = report.complaint { throw StackError(complaint) }
    }
}
