import StackKit
import Subprocess
import SystemPackage

/// PostgreSQL's own load generator.
struct PGBench {
    let program: String
    let url: String

    /// Creates the tables of its built-in scripts.
    func initialize() async throws {
        _ = try await call(["-i", "-q", url])
    }

    /// The reported transactions per second of its built-in point select.
    func select(clients: Int, seconds: Int) async throws -> Double {
        try await rate(["-S"], clients: clients, seconds: seconds)
    }

    /// Runs a script.
    ///
    /// - Returns: The reported number of runs per second.
    func run(script: String, clients: Int, seconds: Int) async throws -> Double {
        try await rate(["-f", script], clients: clients, seconds: seconds)
    }

    private func rate(_ what: [String], clients: Int, seconds: Int) async throws -> Double {
        let threads = min(clients, 2)
        let output = try await call(
            ["-n", "-M", "prepared", "-c", "\(clients)", "-j", "\(threads)", "-T", "\(seconds)"] + what + [url]
        )
        guard let line = output.split(separator: "\n").first(where: { $0.hasPrefix("tps = ") }),
            let number = line.dropFirst("tps = ".count).split(separator: " ").first,
            let rate = Double(number)
        else { throw StackError("pgbench gave no figure: \(output.prefix(200))") }
        return rate
    }

    private func call(_ arguments: [String]) async throws -> String {
        let result = try await Subprocess.run(
            .path(FilePath(program)),
            arguments: Arguments(arguments),
            output: .string(limit: 1 << 16),
            error: .combinedWithOutput
        )
        guard result.terminationStatus.isSuccess else {
            let reason = result.standardOutput.split(separator: "\n").first {
                $0.contains("ERROR") || $0.contains("error:")
            }
            throw StackError("pgbench failed: \(reason ?? result.standardOutput.suffix(400))")
        }
        return result.standardOutput
    }
}
