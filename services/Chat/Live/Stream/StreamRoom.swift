import Contracts
import FoundationEssentials
import Sockets
import Synchronization

/// One subscription to a room: the events after a number, then new events, in sequence order and each once.
///
/// While past events are being read, only the highest number of new events is kept, so a client that is far behind
/// needs the memory of one page.
final class StreamRoom: RoomListener {
    let subscription: STOMPSubscription
    let presence: Presence
    private let connection: STOMPConnection
    private let view: StreamView
    private let messages: Messages
    private let cursor = Mutex(StreamCursor())

    /// Events per page.
    private static let page = 64
    /// Bytes per delivery while past events are being read.
    private static let portion = 64 * 1024
    /// Bytes. While more than this is unsent, read and typing notifications are dropped.
    private static let unsentLimit = 64 * 1024

    init(
        _ subscription: STOMPSubscription,
        on connection: STOMPConnection,
        view: StreamView,
        messages: Messages,
        presence id: UUID = UUID()
    ) {
        self.subscription = subscription
        self.connection = connection
        self.view = view
        self.messages = messages
        presence = Presence(id: id, account: view.viewer, room: view.room.id, isReading: false)
    }

    // MARK: Past events

    /// Delivers the events after `number`, each page after the client has taken the one before, and then new events.
    /// After an error it may be called again, and continues.
    ///
    /// - Parameter start: The listener receives every event after this number.
    func begin(after number: Int64, start: Int64) async throws {
        cursor.withLock { $0.begin(after: number, start: start) }
        while let (after, through) = cursor.withLock({ $0.next() }) {
            let page = try await messages.events(in: view.room, after: after, limit: Self.page, for: view.viewer)
            try await send(page)
            // No event is left: the viewer has cleared them, or the room is gone.
            let last = page.last?.sequence ?? through
            cursor.withLock { $0.send(through: last) }
        }
    }

    /// Ends the delivery of events, because the socket moves to another copy.
    ///
    /// - Returns: What has been delivered; nil after the room's deletion.
    func suspend() -> StreamPosition? {
        cursor.withLock { $0.suspend() }.map { StreamPosition(through: $0, presence: presence.id) }
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

    func receive(_ signal: RoomSignal, in room: RoomID) {
        switch signal {
        case .event(let event): deliver(event)
        case .read(let account, let through): send(view.read(by: account, through: through))
        case .typing(let account): if account != view.viewer { send(view.typing(by: account)) }
        case .present(let account, let isPresent):
            if account != view.viewer { send(view.presence(of: account, isPresent)) }
        case .gone: end()
        }
    }

    private func deliver(_ event: RoomEvent) {
        cursor.withLock { cursor in
            guard cursor.take(event.sequence) else { return }
            // Under the lock, so that events are delivered in order.
            connection.deliver(view.message(event), to: subscription)
        }
    }

    /// Sends a message that is dropped when the socket is congested.
    func send(_ message: STOMPMessage) {
        connection.deliver(message, to: subscription, unlessUnsent: Self.unsentLimit)
    }

    /// Handles the deletion of the room.
    private func end() {
        cursor.withLock { cursor in
            if cursor.end() { connection.deliver(StreamView.gone, to: subscription) }
        }
    }
}
