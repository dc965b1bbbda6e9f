import PostgresServer
import StackKit

extension DatabaseFaults {
    /// Makes each commit wait before its write-ahead log is flushed (`commit_delay`): what a client sees of a slow disk.
    ///
    /// - Parameter milliseconds: At most 100, the setting's limit.
    func slowCommits(_ milliseconds: Int) throws(FaultNotApplied) -> FaultAction {
        guard server.isRunning else { throw FaultNotApplied("PostgreSQL did not run.") }
        return FaultAction {
            try await set("SET commit_delay = \(min(milliseconds, 100) * 1000)", "SET commit_siblings = 0")
            return "Each commit took \(milliseconds) ms longer."
        } end: {
            try await undoCommits()
        }
    }

    func undoCommits() async throws { try await set("RESET commit_delay", "RESET commit_siblings") }

    private func set(_ changes: String...) async throws {
        let statements = changes.map { "ALTER SYSTEM \($0);\n" } + ["SELECT pg_reload_conf() \\g /dev/null\n"]
        try await PostgresPrograms(binaries: server.binaries)
            .psql(statements.joined(), on: administrator().of(database: "postgres"))
    }
}
