import Contracts
import Profiles

/// The room that a With Suhyeon socket shows.
struct RoomSubscription {
    typealias Action = WithSuhyeonSocketState.Action

    let view: RoomView
    private(set) var cursor: DeliveryCursor
    /// The events that are being read.
    private var reading: EventRange?

    init(_ view: RoomView, at cursor: DeliveryCursor) {
        self.view = view
        self.cursor = cursor
    }

    var room: RoomID { view.room.id }

    /// Reads the events after the cursor, unless others are being read.
    mutating func read(through sequence: Int64) -> [Action] {
        guard reading == nil else { return [] }
        let range = EventRange(room: room, after: cursor.delivered, through: sequence)
        reading = range
        return [.readEvents(range)]
    }

    /// - Returns: Whether these events, or more after them, were being read.
    mutating func endReading(_ range: EventRange) -> Bool {
        guard let asked = reading, asked.room == range.room, asked.after == range.after, asked.through >= range.through
        else { return false }
        reading = nil
        return true
    }

    /// Delivers events: the other member's messages as frames, followed by a ping, whose pong acknowledges them. A dead
    /// connection may go undetected for a while.
    ///
    /// - Parameter events: All events of the range, in order; others are left out.
    mutating func deliver(_ events: [RoomEvent], through sequence: Int64) -> [Action] {
        let messages = events.filter { event in
            event.sequence > cursor.delivered && event.sequence <= sequence && event.isNewMessage
                && event.message.sender != view.own.account
        }.map(\.message)
        cursor.deliver(through: sequence, needsAcknowledgement: !messages.isEmpty)
        return (messages.isEmpty ? [] : [.sendMessages(messages, view)]) + ping()
    }

    /// Handles a pong.
    mutating func acknowledge(_ shown: RoomPosition) -> [Action] {
        guard shown.room == room, let sequence = cursor.acknowledge(shown.sequence) else { return [] }
        return [.recordShown(RoomPosition(room: room, sequence: sequence))]
    }

    mutating func recorded() -> [Action] {
        cursor.recorded()
        return ping()
    }

    /// Writes a ping if messages are unacknowledged and none is outstanding.
    mutating func ping() -> [Action] {
        cursor.ping().map { [.ping(RoomPosition(room: room, sequence: $0))] } ?? []
    }
}
