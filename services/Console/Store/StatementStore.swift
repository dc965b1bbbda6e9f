import Contracts
import Postgres

/// How often statements of the programs were run, by the hour.
struct StatementStore: Sendable {
    let database: PostgresClient

    /// Statements of a name in one program.
    struct Total: Sendable, Equatable {
        var program: String
        var name: String
        var count: Int
        /// The sum, and the longest one.
        var microseconds: Int
        var longest: Int
    }

    func add(_ statements: [ConsoleAPI.Calls.Statement], of program: String) async throws {
        guard !statements.isEmpty else { return }
        try await database.execute(
            """
            INSERT INTO statements (hour, program, name, count, microseconds, longest)
            SELECT date_trunc('hour', now()), \(program), name, count, microseconds, longest
            FROM unnest(\(statements.map(\.name)), \(statements.map(\.count)), \(statements.map(\.microseconds)),
                \(statements.map(\.longest))) AS new (name, count, microseconds, longest)
            ON CONFLICT (hour, program, name) DO UPDATE SET count = statements.count + EXCLUDED.count,
                microseconds = statements.microseconds + EXCLUDED.microseconds,
                longest = greatest(statements.longest, EXCLUDED.longest)
            """
        )
    }

    /// Those that took most time together in this hour and the one before.
    func slowest(limit: Int) async throws -> [Total] {
        try await database.all(
            """
            SELECT program, name, sum(count)::bigint, sum(microseconds)::bigint, max(longest) FROM statements
            WHERE hour >= date_trunc('hour', now()) - interval '1 hour'
            GROUP BY program, name ORDER BY 4 DESC LIMIT \(limit)
            """
        ) { row in
            let (program, name, count, microseconds, longest) = try row.decode(
                as: (String, String, Int, Int, Int).self
            )
            return Total(program: program, name: name, count: count, microseconds: microseconds, longest: longest)
        }
    }
}
