import FoundationEssentials
import NIOCore
import Profiles
import Sockets
import Synchronization

/// A room of Anlaka with local sockets. Encodes each message once and sends the frame to all sockets. A task exists
/// only while messages are pending.
final class RoomBroadcast: RoomListener {
    fileprivate struct Place {
        /// Events that arrived before `begin`; nil after it.
        var kept: [(sequence: Int64, event: SocketIOEvent)]? = []
        /// Messages up to this number are not sent.
        var through: Int64 = 0
    }

    fileprivate struct State {
        var places: [SocketIOSocket: Place] = [:]
        var untold: [Message] = []
        var isTelling = false
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
    func hold(_ socket: SocketIOSocket) {
        state.withLock { $0.places[socket] = Place() }
    }

    /// Sends a socket the events in `before`, then the buffered ones after `sequence`, and from now on all new ones.
    func begin(_ socket: SocketIOSocket, with before: [SocketIOEvent], through sequence: Int64) {
        state.withLock { state in
            guard let kept = state.places[socket]?.kept else { return }
            state.places[socket] = Place(kept: nil, through: sequence)
            for event in before { socket.emit(event) }
            for (number, event) in kept where number > sequence { socket.emit(event) }
        }
    }

    /// - Returns: Whether it was the last socket.
    func leave(_ socket: SocketIOSocket) -> Bool {
        state.withLock { state in
            state.places[socket] = nil
            return state.places.isEmpty
        }
    }

    // MARK: RoomListener

    func hear(_ signal: RoomSignal, in room: Int64) {
        switch signal {
        case .event(let event):
            // The app does not know edits and deletions, and must not show deleted messages.
            if event.kind == .sent, event.message.deletedAt == nil { hear(event.message) }
        case .gone:
            for socket in state.withLock({ Array($0.places.keys) }) { socket.disconnect() }
        case .read, .typing, .present:
            break
        }
    }

    private func hear(_ message: Message) {
        let begins = state.withLock { state in
            state.untold.append(message)
            defer { state.isTelling = true }
            return !state.isTelling
        }
        if begins { Task { await tell() } }
    }

    private func tell() async {
        while let messages = next() {
            let events = await events(of: messages)
            state.withLock { state in
                for (message, event) in zip(messages, events) { state.tell(event, number: message.sequence) }
            }
        }
    }

    private func next() -> [Message]? {
        state.withLock { state in
            let messages = state.places.isEmpty ? [] : state.untold
            state.untold = []
            state.isTelling = !messages.isEmpty
            return state.isTelling ? messages : nil
        }
    }

    /// Reads nicknames for each batch, since users change them. Retries until the database is available.
    private func events(of messages: [Message]) async -> [SocketIOEvent] {
        while true {
            if let events = try? await messages.events(in: room, people: people) { return events }
            guard state.withLock({ !$0.places.isEmpty }) else { return [] }
            try? await Task.sleep(for: .milliseconds(200))
        }
    }
}

extension RoomBroadcast.State {
    fileprivate mutating func tell(_ event: SocketIOEvent, number: Int64) {
        for (socket, place) in places {
            if place.kept != nil {
                places[socket]?.kept?.append((number, event))
            } else if number > place.through {
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
        let namespace = RoomSockets.namespacePrefix + room.publicID
        return try map { message in
            let body = try encoder.encode(ChatBody(message, in: room, by: senders(message.sender)))
            return SocketIOEvent("chat", ByteBuffer(bytes: body), in: namespace)
        }
    }
}
