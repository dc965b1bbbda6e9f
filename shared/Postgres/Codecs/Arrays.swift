/// A value whose arrays can be parameters and columns. A `PostgresCodable` value conforms by declaration alone.
package protocol PostgresArrayElement: Sendable {
    /// The type of the whole array.
    static var postgresArrayType: PostgresType { get }
    static func encodeArray(_ values: [Self], into buffer: inout ParameterBuffer) throws
    static func decodeArray(_ cell: borrowing Cell) throws -> [Self]
}

extension Int: PostgresArrayElement {}
extension Int64: PostgresArrayElement {}
extension Int32: PostgresArrayElement {}
extension Int16: PostgresArrayElement {}
extension Double: PostgresArrayElement {}
extension Float: PostgresArrayElement {}
extension Bool: PostgresArrayElement {}
extension String: PostgresArrayElement {}

extension Array: PostgresEncodable where Element: PostgresArrayElement {
    package static var postgresType: PostgresType { Element.postgresArrayType }

    package func encode(into buffer: inout ParameterBuffer) throws {
        try Element.encodeArray(self, into: &buffer)
    }
}

extension Array: PostgresDecodable where Element: PostgresArrayElement {
    package init(postgres cell: borrowing Cell) throws {
        self = try Element.decodeArray(cell)
    }
}

extension PostgresArrayElement where Self: PostgresCodable {
    package static var postgresArrayType: PostgresType {
        PostgresType(oid: postgresType.arrayOID, arrayOID: postgresType.arrayOID)
    }

    package static func encodeArray(_ values: [Self], into buffer: inout ParameterBuffer) throws {
        try ArrayFormat.encode(values, of: postgresType, into: &buffer) { try $0.encode(into: &$1) }
    }

    package static func decodeArray(_ cell: borrowing Cell) throws -> [Self] {
        try ArrayFormat.decode(cell) { try Self(postgres: $0) }
    }
}

/// Arrays whose elements may be NULL.
extension Optional: PostgresArrayElement where Wrapped: PostgresArrayElement & PostgresCodable {
    package static var postgresArrayType: PostgresType { Wrapped.postgresArrayType }

    package static func encodeArray(_ values: [Wrapped?], into buffer: inout ParameterBuffer) throws {
        try ArrayFormat.encode(values, of: Wrapped.postgresType, into: &buffer) { try $0.encode(into: &$1) }
    }

    package static func decodeArray(_ cell: borrowing Cell) throws -> [Wrapped?] {
        try ArrayFormat.decode(cell) { try Wrapped?(postgres: $0) }
    }
}

/// PostgreSQL's binary format of arrays (`array_send`): dimensions, whether there are NULLs, the element's type, for
/// each dimension its size and first index, then each element after its length (-1 for NULL). Only one dimension is
/// supported.
private enum ArrayFormat {
    static func encode<Element>(
        _ values: [Element?],
        of type: PostgresType,
        into buffer: inout ParameterBuffer,
        _ write: (Element, inout ParameterBuffer) throws -> Void
    ) throws {
        buffer.write(Int32(values.isEmpty ? 0 : 1))
        buffer.write(Int32(values.contains { $0 == nil } ? 1 : 0))
        buffer.write(type.oid)
        guard !values.isEmpty else { return }
        buffer.write(Int32(clamping: values.count))
        buffer.write(Int32(1))
        for value in values {
            let start = buffer.count
            buffer.write(Int32(-1))
            guard let value else { continue }
            try write(value, &buffer)
            buffer.setLength(at: start)
        }
    }

    static func decode<Element>(
        _ cell: borrowing Cell,
        _ read: (borrowing Cell) throws -> Element
    ) throws -> [Element] {
        var rest = try cell.anyBytes(for: [Element].self)
        func integer() throws -> Int32 {
            guard rest.count >= 4 else { throw cell.mismatch([Element].self) }
            defer { rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(4)) }
            return Int32(bigEndian: rest.loadUnaligned(as: Int32.self))
        }
        let dimensions = try integer()
        _ = try integer()
        let type = UInt32(bitPattern: try integer())
        guard dimensions == 1 else {
            if dimensions == 0 { return [] }
            throw cell.mismatch([Element].self)
        }
        let count = try integer()
        _ = try integer()
        guard count >= 0, count <= rest.count / 4 else { throw cell.mismatch([Element].self) }
        return try (0..<count).map { _ in
            let length = Int(try integer())
            guard length >= 0 else { return try read(Cell(type: type, field: nil)) }
            guard rest.count >= length else { throw cell.mismatch([Element].self) }
            defer { rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(length)) }
            return try read(Cell(type: type, field: UnsafeRawBufferPointer(rebasing: rest.prefix(length))))
        }
    }
}
