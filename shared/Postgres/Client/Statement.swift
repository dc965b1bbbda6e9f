/// A statement, and how its answer is read. Where several do not need each other's answers, a transaction sends them
/// together: `let (person, orders) = try await transaction.run(one, other)`.
package struct Statement<Value>: Sendable {
    let sql: SQL
    let read: @Sendable (PostgresResult, SQL) throws -> Value

    /// All rows, in order.
    package static func all<Element>(
        _ sql: SQL,
        _ decode: @escaping @Sendable (borrowing Row) throws -> Element
    ) -> Statement where Value == [Element] {
        Statement(sql: sql) { try $0.all(of: $1, decode) }
    }

    /// The row, or nil when there is none; several are an error.
    package static func optional<Element>(
        _ sql: SQL,
        _ decode: @escaping @Sendable (borrowing Row) throws -> Element
    ) -> Statement where Value == Element? {
        Statement(sql: sql) { try $0.optional(of: $1, decode) }
    }
}

extension Statement where Value == Int {
    /// For its effect: how many rows it inserted, changed or deleted.
    package static func execute(_ sql: SQL) -> Statement {
        Statement(sql: sql) { result, _ in result.affectedRows }
    }
}

extension Querying {
    package func run<Value>(_ statement: Statement<Value>) async throws -> Value {
        try statement.read(try await perform(statement.sql), statement.sql)
    }
}

/// Statements that need no answer in between run in one round trip, one after the other: each sees what those before it
/// have done. The error of the first that fails is thrown; those after it have not run.
///
/// One method for each number of statements: parameter packs across suspension points break the task's memory in the
/// compilers that we build with.
extension PostgresTransaction {
    /// Any number of statements that are run for their effect.
    ///
    /// - Returns: how many rows each inserted, changed or deleted.
    @discardableResult
    package func run(_ statements: [Statement<Int>]) async throws -> [Int] {
        guard !statements.isEmpty else { return [] }
        let results = try await session.perform(statements.map(\.sql))
        return try zip(statements, results).map { try $0.read($1, $0.sql) }
    }

    package func run<A, B>(_ a: Statement<A>, _ b: Statement<B>) async throws -> (A, B) {
        let results = try await session.perform([a.sql, b.sql])
        return (try a.read(results[0], a.sql), try b.read(results[1], b.sql))
    }

    package func run<A, B, C>(_ a: Statement<A>, _ b: Statement<B>, _ c: Statement<C>) async throws -> (A, B, C) {
        let results = try await session.perform([a.sql, b.sql, c.sql])
        return (try a.read(results[0], a.sql), try b.read(results[1], b.sql), try c.read(results[2], c.sql))
    }

    package func run<A, B, C, D>(
        _ a: Statement<A>,
        _ b: Statement<B>,
        _ c: Statement<C>,
        _ d: Statement<D>
    ) async throws -> (A, B, C, D) {
        let results = try await session.perform([a.sql, b.sql, c.sql, d.sql])
        return (
            try a.read(results[0], a.sql), try b.read(results[1], b.sql), try c.read(results[2], c.sql),
            try d.read(results[3], d.sql)
        )
    }
}
