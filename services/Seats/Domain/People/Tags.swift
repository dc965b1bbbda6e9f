import Postgres

/// The tags of passenger profiles (SeatCatcher contract 3.3).
struct Tags: Sendable {
    struct Tag: Sendable, Equatable {
        var id: TagID
        /// `USERTAG_CARRIER`.
        var name: String
    }

    let database: PostgresClient
    let store = TagStore()

    /// All tags, sorted by id.
    func all() async throws -> [Tag] {
        try await store.tags(in: database)
    }

    /// - Throws: `PassengerError.tagNotFound`.
    func tag(id: TagID) async throws -> Tag {
        guard let tag = try await store.tag(id: id, in: database) else { throw PassengerError.tagNotFound }
        return tag
    }
}
