package import NIOCore

extension ByteBuffer: PostgresCodable, PostgresArrayElement {
    package static var postgresType: PostgresType { .bytea }

    package func encode(into buffer: inout ParameterBuffer) {
        buffer.write(readableBytesView)
    }

    package init(postgres cell: borrowing Cell) throws {
        self.init(bytes: try cell.bytes(of: .bytea, for: ByteBuffer.self))
    }
}

/// Encodes `[UInt8]` as `bytea` instead of an array of numbers.
extension UInt8: PostgresArrayElement {
    package static var postgresArrayType: PostgresType { .bytea }

    package static func encodeArray(_ values: [UInt8], into buffer: inout ParameterBuffer) {
        buffer.write(values)
    }

    package static func decodeArray(_ cell: borrowing Cell) throws -> [UInt8] {
        Array(try cell.bytes(of: .bytea, for: [UInt8].self))
    }
}
