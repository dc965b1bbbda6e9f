// Numbers are in network byte order. Integers are decoded from integer columns of any width if the value fits.

extension Cell {
    /// An integer from a column of two, four or eight bytes.
    func integer<Value: FixedWidthInteger>(as wanted: Value.Type) throws -> Value {
        let bytes = try bytes(of: .int8, .int4, .int2, for: wanted)
        let value =
            switch bytes.count {
            case 8: Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
            case 4: Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
            case 2: Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
            default: throw mismatch(wanted)
            }
        guard let value = Value(exactly: value) else {
            throw PostgresError(.undecodable, "holds a number that does not fit \(wanted)")
        }
        return value
    }

    /// A floating-point number from a column of four or eight bytes.
    func floatingPoint(as wanted: Any.Type) throws -> Double {
        let bytes = try bytes(of: .float8, .float4, for: wanted)
        switch bytes.count {
        case 8: return Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
        case 4: return Double(Float(bitPattern: UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))))
        default: throw mismatch(wanted)
        }
    }
}

extension Int: PostgresCodable {
    package static var postgresType: PostgresType { .int8 }
    package func encode(into buffer: inout ParameterBuffer) { buffer.write(Int64(self)) }
    package init(postgres cell: borrowing Cell) throws { self = try cell.integer(as: Int.self) }
}

extension Int64: PostgresCodable {
    package static var postgresType: PostgresType { .int8 }
    package func encode(into buffer: inout ParameterBuffer) { buffer.write(self) }
    package init(postgres cell: borrowing Cell) throws { self = try cell.integer(as: Int64.self) }
}

extension Int32: PostgresCodable {
    package static var postgresType: PostgresType { .int4 }
    package func encode(into buffer: inout ParameterBuffer) { buffer.write(self) }
    package init(postgres cell: borrowing Cell) throws { self = try cell.integer(as: Int32.self) }
}

extension Int16: PostgresCodable {
    package static var postgresType: PostgresType { .int2 }
    package func encode(into buffer: inout ParameterBuffer) { buffer.write(self) }
    package init(postgres cell: borrowing Cell) throws { self = try cell.integer(as: Int16.self) }
}

extension Double: PostgresCodable {
    package static var postgresType: PostgresType { .float8 }
    package func encode(into buffer: inout ParameterBuffer) { buffer.write(bitPattern) }
    package init(postgres cell: borrowing Cell) throws { self = try cell.floatingPoint(as: Double.self) }
}

extension Float: PostgresCodable {
    package static var postgresType: PostgresType { .float4 }
    package func encode(into buffer: inout ParameterBuffer) { buffer.write(bitPattern) }

    package init(postgres cell: borrowing Cell) throws {
        _ = try cell.bytes(of: .float4, for: Float.self)
        self = Float(try cell.floatingPoint(as: Float.self))
    }
}

extension Bool: PostgresCodable {
    package static var postgresType: PostgresType { .bool }
    package func encode(into buffer: inout ParameterBuffer) { buffer.write(UInt8(self ? 1 : 0)) }

    package init(postgres cell: borrowing Cell) throws {
        self = try cell.bytes(of: .bool, for: Bool.self).first == 1
    }
}
