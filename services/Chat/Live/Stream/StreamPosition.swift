import Contracts
import FoundationEssentials

/// What another copy of the service needs to know of a client.
struct StreamRecord: Codable, Sendable {
    var app: App
    var account: AccountID
    var session: String?
    /// The time since the last typing notification, in milliseconds, by the client's ID of the room.
    var typed: [String: Int64]
}

/// What a subscription to a room has got.
struct StreamPosition: Codable, Sendable {
    /// The number of the last event.
    var through: Int64
    /// ID of the socket's presence.
    var presence: UUID
}
