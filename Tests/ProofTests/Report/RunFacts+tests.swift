import FoundationEssentials
import StackKit

@testable import Proof

extension RunFacts {
    /// Those of a machine that does not exist.
    static let tests = RunFacts(
        version: "1.0.0",
        commit: "abc",
        machine: Machine(
            cpuinfo: "model name\t: Some CPU\n",
            meminfo: "MemTotal:       8388608 kB\n",
            release: "6.1.0",
            cores: 2
        ),
        begun: Date(timeIntervalSince1970: 0),
        command: ["stack", "load", "--report", "<x>.html"]
    )
}
