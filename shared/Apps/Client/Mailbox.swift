package import Sockets
import Synchronization

/// The messages of a socket that have not been read, and how the connection ended.
package final class Mailbox<Message: Sendable>: Sendable {
    private struct State {
        var messages: [Message] = []
        var end: WebSocketEnd?
    }

    private let state = Mutex(State())

    package init() {}

    /// nil while the connection is open.
    package var end: WebSocketEnd? { state.withLock { $0.end } }

    package var unread: [Message] { state.withLock { $0.messages } }

    package func append(_ message: Message) {
        state.withLock { $0.messages.append(message) }
    }

    package func finish(_ end: WebSocketEnd) {
        state.withLock { $0.end = end }
    }

    package func removeAll(where matches: (Message) -> Bool) {
        state.withLock { $0.messages.removeAll(where: matches) }
    }

    /// Waits for a message and removes it.
    ///
    /// - Returns: nil if the connection has ended without it.
    package func first(where matches: (Message) -> Bool = { _ in true }) async throws -> Message? {
        var found: Message?
        try await waitUntil("a message has come") {
            state.withLock { state in
                guard let index = state.messages.firstIndex(where: matches) else { return state.end != nil }
                found = state.messages.remove(at: index)
                return true
            }
        }
        return found
    }

    /// Waits until the connection has ended.
    @discardableResult
    package func ended() async throws -> WebSocketEnd {
        try await waitUntil("the connection has ended") { end != nil }
        return end ?? .lost
    }
}
