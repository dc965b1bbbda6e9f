import TestKit

@testable import Chat

/// A copy of the chat service: the cursor of one room, and its subscriptions. All is in memory.
struct FeedCopy: Sendable {
    struct Listener: Sendable {
        let phone: Int
        /// The phone has the events up to this number.
        let after: Int64
        var cursor = StreamCursor()
        var hasBegun = false
    }

    var cursor: RoomCursor?
    var listeners: [Int: Listener] = [:]
    /// Subscriptions that wait for the room's last number.
    var waiting: [Int] = []
    var isDeaf = false

    /// In a fixed order.
    var connections: [Int] { listeners.keys.sorted() }
}
