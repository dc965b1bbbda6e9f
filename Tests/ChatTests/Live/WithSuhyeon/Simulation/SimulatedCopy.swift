import NIOCore
import TestKit

@testable import Chat

/// A copy of the chat service, in memory: its sockets, and the operations that they wait for.
struct SimulatedCopy: Sendable {
    struct Socket: Sendable {
        var state = WithSuhyeonSocketState()
        /// Operations on the database, which end one after the other.
        var operations: [WithSuhyeonSocketState.Action] = []
        let openedAt: Int64
        /// Whether the account's presence in its room is recorded.
        var isPresent = false
        /// Nothing more is sent.
        var isClosed = false
    }

    /// Number of crashes.
    var life = 0
    var isDeaf = false
    var sockets: [Int: Socket] = [:]

    /// In a fixed order.
    var numbers: [Int] { sockets.keys.sorted() }

    mutating func crash() {
        self = SimulatedCopy(life: life + 1)
    }
}

extension WithSuhyeonSocketState.Action {
    /// Whether it is executed on the database.
    var isOperation: Bool {
        switch self {
        case .sendMessages, .ping, .sendList, .pauseList, .close: false
        case .claim, .readAssignment, .readEvents, .recordShown, .readList, .release: true
        }
    }
}
