package import FoundationEssentials

extension UUID: PostgresCodable, PostgresArrayElement {
    package static var postgresType: PostgresType { .uuid }

    package func encode(into buffer: inout ParameterBuffer) {
        withUnsafeBytes(of: uuid) { buffer.write($0) }
    }

    package init(postgres cell: borrowing Cell) throws {
        let bytes = try cell.bytes(of: .uuid, for: UUID.self)
        guard bytes.count == 16 else { throw cell.mismatch(UUID.self) }
        self.init(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }
}
