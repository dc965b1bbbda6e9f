import FoundationEssentials

/// A `Codable` value stored as `jsonb`; it can also be decoded from `json`.
package struct PostgresJSON<Value: Sendable>: Sendable {
    package var value: Value

    package init(_ value: Value) {
        self.value = value
    }
}

extension PostgresJSON: Equatable where Value: Equatable {}

extension PostgresJSON: PostgresEncodable where Value: Encodable {
    package static var postgresType: PostgresType { .jsonb }

    package func encode(into buffer: inout ParameterBuffer) throws {
        buffer.write(UInt8(1))  // the version of the binary format
        buffer.write(try JSONEncoder().encode(value))
    }
}

extension PostgresJSON: PostgresDecodable where Value: Decodable {
    package init(postgres cell: borrowing Cell) throws {
        let bytes = try cell.bytes(of: .jsonb, .json, for: Value.self)
        let text = bytes.dropFirst(cell.type == PostgresType.jsonb.oid ? 1 : 0)
        do {
            value = try JSONDecoder().decode(Value.self, from: Data(text))
        } catch {
            // The decoder's own error may quote the column's content.
            throw PostgresError(.undecodable, "holds JSON that is not a \(Value.self)")
        }
    }
}

extension PostgresJSON: PostgresArrayElement where Value: Codable {}
