import Postgres

/// SQL of tags.
struct TagStore: Sendable {
    func tags(in database: some Querying) async throws -> [Tags.Tag] {
        try await database.all("SELECT id, name FROM tags ORDER BY id") { row in
            let (id, name) = try row.decode(TagID.self, String.self)
            return Tags.Tag(id: id, name: name)
        }
    }

    func tag(id: TagID, in database: some Querying) async throws -> Tags.Tag? {
        try await database.optional("SELECT id, name FROM tags WHERE id = \(id)") { row in
            let (id, name) = try row.decode(TagID.self, String.self)
            return Tags.Tag(id: id, name: name)
        }
    }
}
