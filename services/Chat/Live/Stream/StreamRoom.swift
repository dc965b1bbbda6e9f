import FoundationEssentials
import Sockets
import Synchronization

/// One subscription to a room: the events after a number, then new events, in sequence order and each once.
///
/// While past events are being read, only the highest number of new events is kept, so a client that is far behind
/// needs the memory of one page.
final class StreamRoom: RoomListener {
    private enum Phase {
        /// Past events are being read; `heard` is the highest number known.
        case reading(heard: Int64)
        /// New events are delivered; the last delivered number is `through`.
        case open(through: Int64)
        case ended
    }

    let subscription: STOMPSubscription
    let presence: Presence
    private let connection: STOMPConnection
    private let view: StreamView
    private let messages: Messages
    private let phase = Mutex(Phase.reading(heard: 0))

    /// Events per page.
    private static let page = 64
    /// Bytes per delivery while past events are being read.
    private static let portion = 64 * 1024
    /// Bytes. While more than this is unsent, read and typing notifications are dropped.
    private static let patience = 64 * 1024

    init(
        _ subscription: STOMPSubscription,
        on connection: STOMPConnection,
        view: StreamView,
        messages: Messages
    ) {
        self.subscription = subscription
        self.connection = connection
        self.view = view
        self.messages = messages
        presence = Presence(id: UUID(), account: view.viewer, room: view.room.id, isReading: false)
    }

    // MARK: Past events

    /// Delivers the events after `number`, each page after the client has taken the one before, and then new events.
    ///
    /// - Parameter start: The listener receives every event after this number.
    func begin(after number: Int64, start: Int64) async throws {
        heard(start)
        var told = number
        while let wanted = unread(after: told) {
            let page = try await messages.events(in: view.room, after: told, limit: Self.page, for: view.viewer)
            try await send(page)
            // Events that the viewer has cleared are left out.
            told = page.count < Self.page ? max(wanted, page.last?.sequence ?? 0) : page.last?.sequence ?? wanted
        }
    }

    private func heard(_ number: Int64) {
        phase.withLock { phase in
            if case .reading(let heard) = phase { phase = .reading(heard: max(heard, number)) }
        }
    }

    /// The number up to which past events must still be read; nil when there are none, and new events are delivered
    /// directly.
    private func unread(after told: Int64) -> Int64? {
        phase.withLock { phase in
            guard case .reading(let heard) = phase else { return nil }
            if heard > told { return heard }
            phase = .open(through: told)
            return nil
        }
    }

    private func send(_ events: [RoomEvent]) async throws {
        var portion: [STOMPMessage] = []
        var size = 0
        for event in events {
            let message = view.message(event)
            portion.append(message)
            size += message.size
            guard size >= Self.portion else { continue }
            try await connection.deliver(portion, to: subscription)
            (portion, size) = ([], 0)
        }
        try await connection.deliver(portion, to: subscription)
    }

    // MARK: New events

    func hear(_ signal: RoomSignal, in room: Int64) {
        switch signal {
        case .event(let event): hear(event)
        case .read(let account, let through): tell(view.read(by: account, through: through))
        case .typing(let account): if account != view.viewer { tell(view.typing(by: account)) }
        case .present(let account, let isThere):
            if account != view.viewer { tell(view.presence(of: account, isThere)) }
        case .gone: end()
        }
    }

    private func hear(_ event: RoomEvent) {
        phase.withLock { phase in
            switch phase {
            case .reading(let heard):
                phase = .reading(heard: max(heard, event.sequence))
            case .open(let through) where event.sequence > through:
                phase = .open(through: event.sequence)
                // Under the lock, so that events are delivered in order.
                connection.deliver(view.message(event), to: subscription)
            case .open, .ended:
                break
            }
        }
    }

    /// Sends a message that is dropped when the socket is congested.
    func tell(_ message: STOMPMessage) {
        connection.deliver(message, to: subscription, unlessUnsent: Self.patience)
    }

    /// Handles the deletion of the room.
    private func end() {
        phase.withLock { phase in
            if case .ended = phase { return }
            phase = .ended
            connection.deliver(view.gone, to: subscription)
        }
    }
}
