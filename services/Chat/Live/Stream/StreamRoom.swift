import FoundationEssentials
import STOMP
import Synchronization

/// One subscription to a room: what happened after a number, then what happens, in the order of the numbers and each once.
///
/// While it is being read what happened, nothing is kept of what comes but its number; so who is far behind takes no more
/// memory than a page of it.
final class StreamRoom: RoomListener {
    private enum Phase {
        /// It is being told what happened; there is something up to this number.
        case reading(heard: Int64)
        /// Told up to this number.
        case open(through: Int64)
        case ended
    }

    let subscription: STOMPSubscription
    let presence: Presence
    private let connection: STOMPConnection
    private let view: StreamView
    private let messages: Messages
    private let phase = Mutex(Phase.reading(heard: 0))

    /// Events that are read at a time.
    private static let page = 64
    /// Bytes that are sent at a time while it is being read.
    private static let portion = 64 * 1024
    /// Where more bytes than these wait for the client, who reads and types is not told.
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

    // MARK: What happened

    /// Tells what happened after a number, a page when the client has taken the one before, and then what comes.
    ///
    /// - Parameter start: everything after it is heard.
    func begin(after number: Int64, start: Int64) async throws {
        heard(start)
        var told = number
        while let wanted = unread(after: told) {
            let page = try await messages.events(in: view.room, after: told, limit: Self.page, for: view.viewer)
            try await send(page)
            // What the viewer has cleared away is not in it.
            told = page.count < Self.page ? max(wanted, page.last?.sequence ?? 0) : page.last?.sequence ?? wanted
        }
    }

    private func heard(_ number: Int64) {
        phase.withLock { phase in
            if case .reading(let heard) = phase { phase = .reading(heard: max(heard, number)) }
        }
    }

    /// Up to which number there is more to read; nil when there is no more, and what comes is told as it comes.
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

    // MARK: What happens

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
                // Under the lock, or another's could come in between.
                connection.deliver(view.message(event), to: subscription)
            case .open, .ended:
                break
            }
        }
    }

    /// Sends what is worth less than an event, and is dropped when much waits.
    func tell(_ message: STOMPMessage) {
        connection.deliver(message, to: subscription, unlessUnsent: Self.patience)
    }

    /// The room is no more.
    private func end() {
        phase.withLock { phase in
            if case .ended = phase { return }
            phase = .ended
            connection.deliver(view.gone, to: subscription)
        }
    }
}
