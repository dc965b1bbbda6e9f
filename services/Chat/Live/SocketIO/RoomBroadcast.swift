import Contracts
import FoundationEssentials
import NIOCore
import Profiles
import Sockets
import Synchronization

/// A room of Anlaka with local sockets. Encodes each message once and sends the frame to all sockets. A task exists
/// only while messages are pending.
final class RoomBroadcast: RoomListener {
    fileprivate struct Subscription {
        /// Events that arrived before `begin`; nil after it.
        var buffered: [(sequence: Int64, event: SocketIOEvent)]? = []
        /// Messages up to this number were sent, or need not be.
        var through: Int64 = 0
    }

    fileprivate struct State {
        var subscriptions: [SocketIOSocket: Subscription] = [:]
        var pending: [Message] = []
        var isPublishing = false
    }

    private let room: Room
    private let people: People
    private let state = Mutex(State())

    init(_ room: Room, people: People) {
        self.room = room
        self.people = people
    }

    // MARK: Sockets

    /// Starts to buffer events for a socket, until `begin`.
    func buffer(_ socket: SocketIOSocket) {
        state.withLock { $0.subscriptions[socket] = Subscription() }
    }

    /// Sends a socket the events in `before`, then the buffered ones after `sequence`, and from now on all new ones.
    func begin(_ socket: SocketIOSocket, with before: [SocketIOEvent], through sequence: Int64) {
        state.withLock { state in
            guard let buffered = state.subscriptions[socket]?.buffered else { return }
            let last = max(buffered.last?.sequence ?? 0, sequence)
            state.subscriptions[socket] = Subscription(buffered: nil, through: last)
            for event in before { socket.emit(event) }
            for (number, event) in buffered where number > sequence { socket.emit(event) }
        }
    }

    /// Sends a socket nothing more.
    ///
    /// - Returns: The number of the last message that was sent to it, and whether it was the last socket.
    func leave(_ socket: SocketIOSocket) -> (through: Int64, isLast: Bool) {
        state.withLock { state in
            let left = state.subscriptions.removeValue(forKey: socket)
            return (left?.through ?? 0, state.subscriptions.isEmpty)
        }
    }

    // MARK: RoomListener

    func receive(_ signal: RoomSignal, in room: RoomID) {
        switch signal {
        case .event(let event):
            // The app does not know edits and deletions, and must not show deleted messages.
            if event.isNewMessage { publish(event.message) }
        case .gone:
            for socket in state.withLock({ Array($0.subscriptions.keys) }) { socket.disconnect() }
        case .read, .typing, .present:
            break
        }
    }

    private func publish(_ message: Message) {
        let begins = state.withLock { state in
            state.pending.append(message)
            defer { state.isPublishing = true }
            return !state.isPublishing
        }
        if begins { Task { await publishPending() } }
    }

    private func publishPending() async {
        while let messages = next() {
            let events = await events(of: messages)
            state.withLock { state in
                for (message, event) in zip(messages, events) { state.publish(event, number: message.sequence) }
            }
        }
    }

    private func next() -> [Message]? {
        state.withLock { state in
            let messages = state.subscriptions.isEmpty ? [] : state.pending
            state.pending = []
            state.isPublishing = !messages.isEmpty
            return state.isPublishing ? messages : nil
        }
    }

    /// Reads nicknames for each batch, since users change them. Retries until the database is available.
    private func events(of messages: [Message]) async -> [SocketIOEvent] {
        while true {
            if let events = try? await messages.events(in: room, people: people) { return events }
            guard state.withLock({ !$0.subscriptions.isEmpty }) else { return [] }
            try? await Task.sleep(for: .milliseconds(200))
        }
    }
}

extension RoomBroadcast.State {
    fileprivate mutating func publish(_ event: SocketIOEvent, number: Int64) {
        for (socket, subscription) in subscriptions {
            if subscription.buffered != nil {
                subscriptions[socket]?.buffered?.append((number, event))
            } else if number > subscription.through {
                subscriptions[socket]?.through = number
                socket.emit(event)
            }
        }
    }
}

extension [Message] {
    /// Messages as events `chat` of Anlaka's socket, with the same body as in REST responses.
    ///
    /// - Throws: `PostgresError`.
    func events(in room: Room, people: People) async throws -> [SocketIOEvent] {
        let senders = try await people.senders(of: room)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        let namespace = RoomSockets.namespacePrefix + room.publicID.rawValue
        return try map { message in
            let body = try encoder.encode(ChatBody(message, in: room, by: senders(message.sender)))
            return SocketIOEvent("chat", ByteBuffer(bytes: body), in: namespace)
        }
    }
}
