import CLibPQ

/// One row of an answer, lent to the closure that decodes it: it points into libpq's memory.
package struct Row: ~Copyable {
    private let result: OpaquePointer
    private let index: Int32

    init(_ result: PostgresResult, _ index: Int) {
        self.result = result.pointer
        self.index = Int32(index)
    }

    /// The only column of the row.
    package func decode<Value: PostgresDecodable>(_ type: Value.Type) throws -> Value {
        try checkCount(1)
        return try value(type, in: 0)
    }

    /// The row as a tuple: `let (id, email) = try row.decode(Int64.self, String.self)`.
    ///
    /// - Throws: `PostgresError` (`undecodable`) when the number of columns or the type of one is another.
    package func decode<each Value: PostgresDecodable>(
        _ types: repeat (each Value).Type
    ) throws -> (repeat each Value) {
        var wanted: Int32 = 0
        for _ in repeat each types { wanted += 1 }
        try checkCount(wanted)
        var column: Int32 = -1
        func next<Next: PostgresDecodable>(_ type: Next.Type) throws -> Next {
            column += 1
            return try value(type, in: column)
        }
        return (repeat try next(each types))
    }

    /// The row as a tuple of the types that the context wants: `(name, age) = try row.decode()`.
    package func decode<each Value: PostgresDecodable>(
        as type: (repeat each Value).Type = (repeat each Value).self
    ) throws -> (repeat each Value) {
        try decode(repeat (each Value).self)
    }

    private func checkCount(_ wanted: Int32) throws {
        let columns = PQnfields(result)
        guard columns == wanted else {
            throw PostgresError(.undecodable, "The statement returns \(columns) columns where \(wanted) were expected")
        }
    }

    private func value<Value: PostgresDecodable>(_ type: Value.Type, in column: Int32) throws -> Value {
        let isNull = PQgetisnull(result, index, column) == 1
        let field = UnsafeRawBufferPointer(
            start: PQgetvalue(result, index, column),
            count: Int(PQgetlength(result, index, column))
        )
        do {
            return try Value(postgres: Cell(type: PQftype(result, column), field: isNull ? nil : field))
        } catch let error as PostgresError where error.kind == .undecodable {
            let name = PQfname(result, column).map { String(cString: $0) } ?? "?"
            throw PostgresError(.undecodable, "Column \(column + 1), \(name), \(error.message)")
        }
    }
}
