/// A value that can be a parameter of a statement.
package protocol PostgresEncodable: Sendable {
    /// The type declared to PostgreSQL.
    static var postgresType: PostgresType { get }

    /// Appends the value in PostgreSQL's binary format.
    ///
    /// - Throws: If the value cannot be represented; the statement is then not sent.
    func encode(into buffer: inout ParameterBuffer) throws
}

/// A value that can be decoded from a column.
package protocol PostgresDecodable {
    /// Decodes the value from PostgreSQL's binary format.
    ///
    /// - Throws: `cell.mismatch` if the column is of another type, NULL or out of range.
    init(postgres cell: borrowing Cell) throws
}

package typealias PostgresCodable = PostgresEncodable & PostgresDecodable

/// One field of a row: its type and its bytes, which are valid only during decoding.
package struct Cell: ~Copyable {
    /// The column's type, as `pg_type.oid`.
    package let type: UInt32
    private let field: UnsafeRawBufferPointer?

    init(type: UInt32, field: UnsafeRawBufferPointer?) {
        self.type = type
        self.field = field
    }

    package var isNull: Bool { field == nil }

    /// The bytes, which must be copied before the initializer that received the cell returns.
    package func anyBytes(for wanted: Any.Type) throws -> UnsafeRawBufferPointer {
        guard let field else { throw PostgresError(.undecodable, "is NULL where \(wanted) was expected") }
        return field
    }

    /// The bytes, if the column has one of these types.
    package func bytes(of types: PostgresType..., for wanted: Any.Type) throws -> UnsafeRawBufferPointer {
        let bytes = try anyBytes(for: wanted)
        guard types.contains(where: { $0.oid == type }) else { throw mismatch(wanted) }
        return bytes
    }

    /// The error for a column of an unexpected type.
    package func mismatch(_ wanted: Any.Type) -> PostgresError {
        let hint = type == 1700 ? " (numeric: cast it to bigint or double precision)" : ""
        return PostgresError(.undecodable, "of type \(type)\(hint) cannot be read as \(wanted)")
    }
}

extension PostgresEncodable where Self: RawRepresentable, RawValue: PostgresEncodable {
    package static var postgresType: PostgresType { RawValue.postgresType }

    package func encode(into buffer: inout ParameterBuffer) throws {
        try rawValue.encode(into: &buffer)
    }
}

extension PostgresDecodable where Self: RawRepresentable, RawValue: PostgresDecodable {
    package init(postgres cell: borrowing Cell) throws {
        guard let value = Self(rawValue: try RawValue(postgres: cell)) else {
            throw PostgresError(.undecodable, "holds a value that \(Self.self) does not know")
        }
        self = value
    }
}

extension Optional: PostgresDecodable where Wrapped: PostgresDecodable {
    package init(postgres cell: borrowing Cell) throws {
        self = cell.isNull ? nil : try Wrapped(postgres: cell)
    }
}
