import FoundationEssentials

/// What is new to somebody in their rooms.
extension Rooms {
    /// Where somebody's rooms stand: the number of the last thing that happened, and that of the last message before a moment.
    func standings(
        of account: Int64,
        at moment: Date
    ) async throws -> [(room: Int64, last: Int64, before: Int64)] {
        try await store.standings(of: account, at: moment, limit: Self.listLimit, in: database)
    }

    /// Whether others have written to somebody in rooms, after certain numbers.
    func hasNews(_ rooms: [(room: Int64, after: Int64)], for account: Int64) async throws -> Bool {
        try await store.hasNews(rooms, for: account, in: database)
    }
}
