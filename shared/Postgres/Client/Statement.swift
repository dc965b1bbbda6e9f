/// A statement and the decoding of its result. A transaction sends several independent statements together:
/// `let (person, orders) = try await transaction.run(one, other)`. `file` and `function` name it in traces.
package struct Statement<Value>: Sendable {
    let sql: SQL
    let read: @Sendable (PostgresResult, SQL) throws -> Value

    /// All rows, in order.
    package static func all<Element>(
        _ sql: SQL,
        file: StaticString = #fileID,
        function: StaticString = #function,
        _ decode: @escaping @Sendable (borrowing Row) throws -> Element
    ) -> Statement where Value == [Element] {
        Statement(sql: sql.from(file, function)) { try $0.all(of: $1, decode) }
    }

    /// The row; none or several are an error.
    package static func one(
        _ sql: SQL,
        file: StaticString = #fileID,
        function: StaticString = #function,
        _ decode: @escaping @Sendable (borrowing Row) throws -> Value
    ) -> Statement {
        Statement(sql: sql.from(file, function)) { try $0.one(of: $1, decode) }
    }

    /// The row, or nil if there is none; several are an error.
    package static func optional<Element>(
        _ sql: SQL,
        file: StaticString = #fileID,
        function: StaticString = #function,
        _ decode: @escaping @Sendable (borrowing Row) throws -> Element
    ) -> Statement where Value == Element? {
        Statement(sql: sql.from(file, function)) { try $0.optional(of: $1, decode) }
    }
}

extension Statement where Value == Int {
    /// The number of rows inserted, changed or deleted.
    package static func execute(
        _ sql: SQL,
        file: StaticString = #fileID,
        function: StaticString = #function
    ) -> Statement {
        Statement(sql: sql.from(file, function)) { result, _ in result.affectedRows }
    }
}

extension Querying {
    package func run<Value>(_ statement: Statement<Value>) async throws -> Value {
        try statement.read(try await perform(statement.sql), statement.sql)
    }
}

/// Runs independent statements in one round trip, in order: each sees the effects of those before it. The error of the
/// first that fails is thrown; those after it are not run.
///
/// There is one method per number of statements, because parameter packs across suspension points corrupt the task's
/// memory with the supported compilers.
extension PostgresTransaction {
    /// Runs any number of statements for their effect.
    ///
    /// - Returns: The number of rows that each inserted, changed or deleted.
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

    package func run<A, B, C, D, E>(
        _ a: Statement<A>,
        _ b: Statement<B>,
        _ c: Statement<C>,
        _ d: Statement<D>,
        _ e: Statement<E>
    ) async throws -> (A, B, C, D, E) {
        let results = try await session.perform([a.sql, b.sql, c.sql, d.sql, e.sql])
        return (
            try a.read(results[0], a.sql), try b.read(results[1], b.sql), try c.read(results[2], c.sql),
            try d.read(results[3], d.sql), try e.read(results[4], e.sql)
        )
    }

    package func run<A, B, C, D, E, F>(
        _ a: Statement<A>,
        _ b: Statement<B>,
        _ c: Statement<C>,
        _ d: Statement<D>,
        _ e: Statement<E>,
        _ f: Statement<F>
    ) async throws -> (A, B, C, D, E, F) {
        let results = try await session.perform([a.sql, b.sql, c.sql, d.sql, e.sql, f.sql])
        return (
            try a.read(results[0], a.sql), try b.read(results[1], b.sql), try c.read(results[2], c.sql),
            try d.read(results[3], d.sql), try e.read(results[4], e.sql), try f.read(results[5], f.sql)
        )
    }
}
