import CLibPQ

/// One row of a result, passed to the closure that decodes it: it points into libpq's memory.
package struct Row: ~Copyable {
    private let result: OpaquePointer
    private let index: Int32

    init(_ result: PostgresResult, _ index: Int) {
        self.result = result.pointer
        self.index = Int32(index)
    }

    /// Decodes the only column of the row.
    package func decode<Value: PostgresDecodable>(_ type: Value.Type) throws -> Value {
        try checkCount(1)
        return try value(type, in: 0)
    }

    /// Decodes the row as a tuple: `let (id, email) = try row.decode(Int64.self, String.self)`.
    ///
    /// - Throws: `PostgresError` (`undecodable`) if the number of columns or the type of one is different.
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

    /// Decodes the row as a tuple of inferred types: `(name, age) = try row.decode()`.
    package func decode<each Value: PostgresDecodable>(
        as type: (repeat each Value).Type = (repeat each Value).self
    ) throws -> (repeat each Value) {
        try decode(repeat (each Value).self)
    }

    /// Decodes the row in parts, each of which reads the next columns:
    /// `try row.decode { columns in (try columns.next(Int64.self), try Person(&columns)) }`.
    ///
    /// - Throws: `PostgresError` (`undecodable`), also if columns are left unread.
    package func decode<Value>(_ read: (inout Columns) throws -> Value) throws -> Value {
        var columns = Columns(result, index)
        let value = try read(&columns)
        try checkCount(columns.next)
        return value
    }

    private func checkCount(_ wanted: Int32) throws {
        let columns = PQnfields(result)
        guard columns == wanted else {
            throw PostgresError(.undecodable, "The statement returns \(columns) columns where \(wanted) were expected")
        }
    }

    private func value<Value: PostgresDecodable>(_ type: Value.Type, in column: Int32) throws -> Value {
        try Self.value(type, in: column, of: result, index)
    }

    fileprivate static func value<Value: PostgresDecodable>(
        _ type: Value.Type,
        in column: Int32,
        of result: OpaquePointer,
        _ index: Int32
    ) throws -> Value {
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

/// The columns of a row, read in order.
package struct Columns: ~Copyable {
    private let result: OpaquePointer
    private let index: Int32
    /// The index of the next column.
    fileprivate var next: Int32 = 0

    fileprivate init(_ result: OpaquePointer, _ index: Int32) {
        self.result = result
        self.index = index
    }

    package mutating func next<Value: PostgresDecodable>(_ type: Value.Type = Value.self) throws -> Value {
        guard next < PQnfields(result) else {
            throw PostgresError(.undecodable, "The statement returns \(next) columns where more were expected")
        }
        defer { next += 1 }
        return try Row.value(type, in: next, of: result, index)
    }
}
