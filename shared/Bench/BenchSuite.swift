/// A group of measurements that share their setup: `bench NAME`.
protocol BenchSuite: Sendable {
    /// The word on the command line.
    var name: String { get }
    /// What it measures, in one line of the help.
    var summary: String { get }
    /// The programs without which it cannot run.
    var tools: [BenchTool] { get }
    /// Whether it takes so long that it runs only when it is named.
    var runsWhenNamedOnly: Bool { get }

    /// Measures. Starts what it needs on loopback ports that the system picks, and stops it before it returns or throws.
    func run(_ bench: BenchContext) async throws -> [BenchResult]
}

extension BenchSuite {
    var runsWhenNamedOnly: Bool { false }
}

/// What a suite gets from the command.
struct BenchContext: Sendable {
    /// The folder with Madang's executables, built in release mode.
    var executables: String
    /// An empty folder for databases and configuration files, removed afterwards.
    var scratch: String
    /// How long one figure should be measured.
    var duration: Duration
    /// Tells the person what is going on, in one line.
    var report: @Sendable (String) -> Void
}

/// A program that a suite calls, and the Debian package that brings it.
struct BenchTool: Sendable {
    var command: String
    var package: String
}
