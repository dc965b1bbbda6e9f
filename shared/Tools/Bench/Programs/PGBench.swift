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

    /// Runs a script.
    ///
    /// - Returns: The time that its runs took, in seconds: without that of connecting.
    func time(script: String, clients: Int, seconds: Int) async throws -> Double {
        let report = try await report(["-f", script], clients: clients, seconds: seconds)
        return try Self.figure("number of transactions actually processed: ", in: report)
            / Self.figure("tps = ", in: report)
    }

    private func rate(_ what: [String], clients: Int, seconds: Int) async throws -> Double {
        try Self.figure("tps = ", in: try await report(what, clients: clients, seconds: seconds))
    }

    private func report(_ what: [String], clients: Int, seconds: Int) async throws -> String {
        let threads = min(clients, 2)
        return try await call(
            ["-n", "-M", "prepared", "-c", "\(clients)", "-j", "\(threads)", "-T", "\(seconds)"] + what + [url]
        )
    }

    /// The number after the first words of a line of pgbench's report.
    static func figure(_ words: String, in report: String) throws -> Double {
        guard let line = report.split(separator: "\n").first(where: { $0.hasPrefix(words) }),
            let number = line.dropFirst(words.count).split(whereSeparator: { $0 == " " || $0 == "/" }).first,
            let figure = Double(number)
        else { throw StackError("pgbench gave no figure: \(report.prefix(200))") }
        return figure
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
