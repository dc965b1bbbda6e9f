import Contracts
import FoundationEssentials

/// How far a room has advanced.
struct RoomProgress: Sendable, Equatable {
    let room: RoomID
    /// Number of the last event.
    let last: Int64
    /// Number of the last message before a moment.
    let before: Int64
}

/// Unread state of an account's rooms.
extension Rooms {
    /// The progress of an account's rooms since a moment, for those with the newest messages.
    func progress(of account: AccountID, since moment: Date) async throws -> [RoomProgress] {
        try await store.progress(of: account, since: moment, limit: Self.listLimit, in: database)
    }

    /// Whether the other members of rooms have written messages after the given number of each.
    func hasMessages(after numbers: [RoomID: Int64], for account: AccountID) async throws -> Bool {
        try await store.hasMessages(after: numbers, for: account, in: database)
    }
}
