package import FoundationEssentials
package import NIOCore

extension UUID: PostgresCodable, PostgresArrayElement {
    package static var postgresType: PostgresType { .uuid }

    package func encode(into buffer: inout ByteBuffer) {
        withUnsafeBytes(of: uuid) { _ = buffer.writeBytes($0) }
    }

    package init(postgres cell: borrowing Cell) throws {
        let bytes = try cell.bytes(of: .uuid, for: UUID.self)
        guard bytes.count == 16 else { throw cell.mismatch(UUID.self) }
        self.init(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }
}
