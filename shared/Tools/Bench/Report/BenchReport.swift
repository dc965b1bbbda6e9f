import FoundationEssentials
import PostgresServer
import StackKit

/// What a run of `bench` has measured, and where: the JSON of `bench --save`.
struct BenchReport: Codable, Equatable, Sendable {
    /// The version of this format that is written and read.
    static let format = 1

    var format = Self.format
    var date: Date
    /// Of the checkout that the programs were built in; nil elsewhere.
    var commit: String?
    var machine: Machine
    /// Such as "Swift version 6.3 (swift-6.3-RELEASE)"; nil if there is no compiler.
    var swift: String?
    /// Such as "postgres (PostgreSQL) 17.6"; nil if it is not installed.
    var postgres: String?
    /// How long one figure was measured, all rounds together.
    var seconds: Double
    var rounds: Int
    var suites: [Suite] = []

    /// The report of a run that begins now, without suites.
    static func begun(seconds: Double, rounds: Int) async -> BenchReport {
        // A server that is not started, for the folder of its programs.
        let programs = (try? PostgresServer(directory: "/nowhere"))?.binaries ?? ""
        return BenchReport(
            // Without parts of a second, as it is written.
            date: Date(timeIntervalSince1970: Date.now.timeIntervalSince1970.rounded(.down)),
            commit: await Checkout.commit(),
            machine: .current,
            swift: await firstLine(of: ["swift", "--version"]),
            postgres: await firstLine(of: ["\(programs)/postgres", "--version"]),
            seconds: seconds,
            rounds: rounds
        )
    }

    private static func firstLine(of words: [String]) async -> String? {
        guard let answer = try? await SystemCommand.attempt(words), answer.succeeded else { return nil }
        return answer.output.split(separator: "\n").first.map(String.init)
    }

    /// The date, the commit and the machine, in one line.
    var origin: String {
        "\(date.formatted(.iso8601)), \(commit.map { "commit \($0)" } ?? "no commit"), \(machine.description)"
    }
}

extension BenchReport {
    /// What became of a suite: rows, or why there are none.
    struct Suite: Codable, Equatable, Sendable {
        var name: String
        var rows: [Row] = []
        /// Why it was not run.
        var skipped: String?
        /// The error that it ended with.
        var failed: String?
    }

    /// A `BenchResult`.
    struct Row: Codable, Equatable, Sendable {
        struct Yardstick: Codable, Equatable, Sendable {
            var name: String
            /// In the order of rounds.
            var samples: Samples
        }

        var name: String
        var unit: String
        var isHigherBetter: Bool
        /// Madang's figures, in the order of rounds.
        var samples: Samples
        /// nil if nothing comparable exists.
        var yardstick: Yardstick?
        /// Madang's figures divided by the yardstick's, of each round; one where rounds cannot be paired.
        var ratio: Samples?
        /// The bound by its kind, such as `{"ratioAtLeast": 1.2}`; nil without a goal.
        var goal: [String: Double]?
        /// nil without a goal.
        var isReached: Bool?

        init(_ result: BenchResult) {
            (name, unit, isHigherBetter) = (result.name, result.unit, result.isHigherBetter)
            (samples, ratio) = (result.samples, result.ratios)
            yardstick = result.yardstick.map { Yardstick(name: $0.name, samples: $0.samples) }
            (goal, isReached) = (result.goal?.fields, result.isReached)
        }
    }
}

extension BenchResult.Goal {
    fileprivate var fields: [String: Double] {
        switch self {
        case .ratioAtLeast(let bound): ["ratioAtLeast": bound]
        case .ratioAtMost(let bound): ["ratioAtMost": bound]
        case .atLeast(let bound): ["atLeast": bound]
        case .atMost(let bound): ["atMost": bound]
        }
    }
}
