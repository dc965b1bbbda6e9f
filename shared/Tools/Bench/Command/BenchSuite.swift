/// A group of measurements with a common setup: `bench NAME`.
protocol BenchSuite: Sendable {
    /// The name on the command line.
    var name: String { get }
    /// A one-line description for the help.
    var summary: String { get }
    /// The programs that it requires.
    var tools: [BenchTool] { get }
    /// Whether it runs only when named, because it takes long.
    var runsWhenNamedOnly: Bool { get }

    /// Runs the measurements. Starts the required programs on free loopback ports, and stops them before it returns or
    /// throws.
    func run(_ bench: BenchContext) async throws -> [BenchResult]
}

extension BenchSuite {
    var runsWhenNamedOnly: Bool { false }
}

/// The environment of a suite.
struct BenchContext: Sendable {
    /// The folder with Madang's executables, built in release mode.
    var executables: String
    /// An empty folder for databases and configuration files, removed afterwards.
    var scratch: String
    /// The duration of one measurement, all rounds together.
    var duration: Duration
    /// The number of rounds of a measurement beside its yardsticks.
    var rounds = 5
    /// Prints the progress, in one line.
    var report: @Sendable (String) -> Void
}

/// A program that a suite calls, and the Debian package that contains it.
struct BenchTool: Sendable {
    var command: String
    var package: String
}
