import FoundationEssentials

/// Unread state of an account's rooms.
extension Rooms {
    /// For each room of an account, the number of the last event and that of the last message before `moment`.
    func standings(
        of account: Int64,
        at moment: Date
    ) async throws -> [(room: Int64, last: Int64, before: Int64)] {
        try await store.standings(of: account, at: moment, limit: Self.listLimit, in: database)
    }

    /// Whether the other members of rooms have written messages after the given numbers.
    func hasNews(_ rooms: [(room: Int64, after: Int64)], for account: Int64) async throws -> Bool {
        try await store.hasNews(rooms, for: account, in: database)
    }
}
