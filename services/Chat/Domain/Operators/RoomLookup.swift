import Contracts
import Postgres

/// What operators see of rooms.
struct RoomLookup: Sendable {
    let database: PostgresClient
    private let store = OperatorLookupStore()

    init(database: PostgresClient) { self.database = database }

    /// Rooms by the time of their last message, newest first.
    func recent() async throws -> [OperatorsAPI.RoomSummary] {
        try await store.recent(limit: OperatorsAPI.Rooms.limit, in: database)
    }

    /// A room with its members and newest events.
    ///
    /// - Parameter text: The room's number, its public ID, or a member's ID of it.
    /// - Throws: `ChatError.roomNotFound`.
    func room(_ text: String) async throws -> OperatorsAPI.Room {
        guard let summary = try await find(text) else { throw ChatError.roomNotFound }
        async let members = store.members(of: summary.id, in: database)
        let events = try await store.events(of: summary.id, limit: OperatorsAPI.Room.limit, in: database)
        return OperatorsAPI.Room(summary: summary, members: try await members, events: events)
    }

    private func find(_ text: String) async throws -> OperatorsAPI.RoomSummary? {
        if let publicID = PublicID(text) { return try await store.room(publicID, in: database) }
        guard let id = RoomID(text) else { return nil }
        return try await store.room(id, in: database)
    }
}
