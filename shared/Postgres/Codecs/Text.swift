extension String: PostgresCodable {
    package static var postgresType: PostgresType { .text }

    /// - Throws: For a NUL character, which PostgreSQL cannot store in text.
    package func encode(into buffer: inout ParameterBuffer) throws {
        guard !utf8.contains(0) else { throw PostgresError(.unencodable, "the text holds a NUL character") }
        buffer.write(utf8)
    }

    /// Decodes any text-like type: text, varchar, char, name, json, jsonb, xml, and types such as enums and citext.
    package init(postgres cell: borrowing Cell) throws {
        var bytes = try cell.anyBytes(for: String.self)
        switch cell.type {
        case 25, 1043, 1042, 18, 19, 705, 114, 142:
            break
        case PostgresType.jsonb.oid:
            bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
        case PostgresType.firstUserDefinedOID...:
            guard !bytes.contains(0) else { throw cell.mismatch(String.self) }
        default:
            throw cell.mismatch(String.self)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw cell.mismatch(String.self) }
        self = text
    }
}
