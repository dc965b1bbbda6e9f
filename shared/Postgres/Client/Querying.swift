/// Runs statements: implemented by the client, for which each statement is a transaction, and by transactions. Store
/// methods take `some Querying`, so that the same method works with both.
package protocol Querying: Sendable {
    /// Runs one statement. Callers use the methods below.
    func perform(_ sql: SQL) async throws -> PostgresResult
}

/// `file` and `function` name the statement in traces.
extension Querying {
    /// All rows, in order.
    package func all<Value>(
        _ sql: SQL,
        file: StaticString = #fileID,
        function: StaticString = #function,
        _ decode: (borrowing Row) throws -> Value
    ) async throws -> [Value] {
        try await perform(sql.from(file, function)).all(of: sql, decode)
    }

    /// The row, or nil if there is none.
    ///
    /// - Throws: `PostgresError` (`rowCount`) if there are several.
    package func optional<Value>(
        _ sql: SQL,
        file: StaticString = #fileID,
        function: StaticString = #function,
        _ decode: (borrowing Row) throws -> Value
    ) async throws -> Value? {
        try await perform(sql.from(file, function)).optional(of: sql, decode)
    }

    /// The row.
    ///
    /// - Throws: `PostgresError` (`rowCount`) if there is none or several.
    package func one<Value>(
        _ sql: SQL,
        file: StaticString = #fileID,
        function: StaticString = #function,
        _ decode: (borrowing Row) throws -> Value
    ) async throws -> Value {
        try await perform(sql.from(file, function)).one(of: sql, decode)
    }

    /// Runs a statement for its effect.
    ///
    /// - Returns: The number of rows inserted, changed or deleted.
    @discardableResult
    package func execute(
        _ sql: SQL,
        file: StaticString = #fileID,
        function: StaticString = #function
    ) async throws -> Int {
        try await perform(sql.from(file, function)).affectedRows
    }
}

extension PostgresResult {
    func all<Value>(of sql: SQL, _ decode: (borrowing Row) throws -> Value) throws -> [Value] {
        try withExtendedLifetime(self) {
            var values: [Value] = []
            values.reserveCapacity(rowCount)
            for index in 0..<rowCount { values.append(try self.decode(index, of: sql, decode)) }
            return values
        }
    }

    func one<Value>(of sql: SQL, _ decode: (borrowing Row) throws -> Value) throws -> Value {
        guard rowCount == 1 else { throw unexpectedRowCount("one row", of: sql) }
        return try self.decode(0, of: sql, decode)
    }

    func optional<Value>(of sql: SQL, _ decode: (borrowing Row) throws -> Value) throws -> Value? {
        switch rowCount {
        case 0: nil
        case 1: try self.decode(0, of: sql, decode)
        default: throw unexpectedRowCount("at most one row", of: sql)
        }
    }

    fileprivate func decode<Value>(
        _ index: Int,
        of sql: SQL,
        _ decode: (borrowing Row) throws -> Value
    ) throws -> Value {
        do {
            return try withExtendedLifetime(self) { try decode(Row(self, index)) }
        } catch let error as PostgresError {
            throw error.about(sql)
        }
    }

    fileprivate func unexpectedRowCount(_ expected: String, of sql: SQL) -> PostgresError {
        PostgresError(.rowCount, "The statement returned \(rowCount) rows where \(expected) was expected").about(sql)
    }
}
