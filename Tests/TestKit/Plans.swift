package import Postgres
import Synchronization

/// Shows each statement to EXPLAIN before it is performed.
package final class Plans: Querying {
    private let counts: Bool
    private let plans = Mutex<[String]>([])

    /// - Parameter counts: whether the statement is executed to count the rows of each step; only for statements that
    ///   change nothing.
    package init(counts: Bool = false) { self.counts = counts }

    package var all: [String] { plans.withLock { $0 } }

    package func perform(_ sql: SQL) async throws -> PostgresResult {
        let client = TestDatabase.current.client
        let explain: SQL =
            counts ? "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) \(sql)" : "EXPLAIN (COSTS OFF) \(sql)"
        let lines = try await client.all(explain) { try $0.decode(String.self) }
        plans.withLock { $0.append(lines.joined(separator: "\n")) }
        return try await client.perform(sql)
    }

    /// The plan of a statement with the rows of each step, without keeping its effect.
    package static func measured(_ statement: SQL) async throws -> String {
        struct Undone: Error {}
        var plan = ""
        do {
            try await TestDatabase.current.client.transaction { transaction in
                plan = try await transaction.all(
                    "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) \(statement)"
                ) { try $0.decode(String.self) }.joined(separator: "\n")
                throw Undone()
            }
        } catch is Undone {}
        return plan
    }

    /// The rows that all steps of a plan have read, those that a filter dropped included. The entries of a bitmap index
    /// scan are not: among them are those of deleted rows that other tests' transactions keep from being vacuumed.
    package static func rows(of plan: String) -> Int {
        plan.split(separator: "\n").reduce(0) { sum, line in
            if let removed = line.firstRange(of: "Rows Removed by Filter: ") {
                return sum + (Int(line[removed.upperBound...]) ?? 0)
            }
            guard !line.contains("Bitmap Index Scan"), let rows = line.firstRange(of: "actual rows="),
                let loops = line.firstRange(of: "loops=")
            else {
                return sum
            }
            let count = Int(line[rows.upperBound...].prefix { $0.isNumber }) ?? 0
            return sum + count * (Int(line[loops.upperBound...].prefix { $0.isNumber }) ?? 1)
        }
    }
}
