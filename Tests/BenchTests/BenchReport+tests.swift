import FoundationEssentials
import StackKit

@testable import Bench

extension Machine {
    /// A machine that does not exist.
    static func test(_ processor: String = "Some CPU") -> Machine {
        Machine(
            cpuinfo: "model name\t: \(processor)\n",
            meminfo: "MemTotal:       8388608 kB\n",
            release: "6.1.0",
            cores: 2
        )
    }
}

extension BenchReport {
    /// A report without suites.
    static let test = BenchReport(
        date: Date(timeIntervalSince1970: 0),
        commit: "abc",
        machine: .test(),
        swift: "Swift version 6.3",
        postgres: nil,
        seconds: 5,
        rounds: 5
    )

    /// A report of one suite.
    static func test(_ results: [BenchResult], on machine: Machine = .test()) -> BenchReport {
        var report = test
        report.machine = machine
        report.suites = [Suite(name: "suite", rows: results.map(Row.init))]
        return report
    }
}
