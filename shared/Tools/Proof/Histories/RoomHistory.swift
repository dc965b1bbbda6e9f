/// What happened in one chat room: what phones sent and took back, what each device was shown, and the table at the end.
package struct RoomHistory: Sendable {
    package var room: String
    package var sends: [MessageSend] = []
    package var deletions: [MessageDeletion] = []
    package var readings: [RoomReading] = []
    /// How far people have said that they have read.
    package var reads: [RoomRead] = []
    /// The numbers of unread messages that lists of rooms have shown.
    package var unreadCounts: [UnreadCount] = []
    /// The room's events at the end, in the order of their numbers.
    package var table: [RoomEventRow] = []

    package init(room: String) { self.room = room }
}

package enum RoomEventKind: String, Sendable, Hashable, Codable {
    case sent, edited, deleted
}

/// A message that a phone sent. Its repetition with the same client id is the same send.
package struct MessageSend: Sendable, Hashable {
    package var attempt: Attempt
    /// A word in the text that no other message has.
    package var marker: String
    /// The message's number of the answer, if it has one.
    package var number: Int64?

    package init(_ attempt: Attempt, marker: String, number: Int64? = nil) {
        (self.attempt, self.marker, self.number) = (attempt, marker, number)
    }
}

package struct MessageDeletion: Sendable, Hashable {
    package var attempt: Attempt
    /// The number of the deleted message.
    package var message: Int64

    package init(_ attempt: Attempt, message: Int64) {
        (self.attempt, self.message) = (attempt, message)
    }
}

/// What a device was shown by one page or one connection, in the order of arrival.
package struct RoomReading: Sendable, Hashable {
    /// The device, such as "phone 3".
    package var device: String
    package var begun: Moment
    /// When the page was complete or the connection closed; for an open one the end of the run.
    package var ended: Moment
    /// The number after which events were asked for: the first shown one follows it. Nil for a page or a connection that
    /// begins anywhere.
    package var after: Int64?
    /// The kinds of events that it shows. The others leave gaps in its numbers.
    package var kinds: Set<RoomEventKind> = [.sent, .edited, .deleted]
    /// Whether it may leave out messages that were deleted, as lists of messages do.
    package var skipsDeleted = false
    /// Whether it must have shown the room's last event: a connection that was open long after it.
    package var isCurrent = false
    /// Whether a list that is kept on the device continues with it: what earlier readings of the device have shown must
    /// not be shown again.
    package var continuesList = false
    package var events: [ShownEvent] = []
    package var trace: String?

    package init(device: String, begun: Moment, ended: Moment, after: Int64? = nil, trace: String? = nil) {
        (self.device, self.begun, self.ended, self.after, self.trace) = (device, begun, ended, after, trace)
    }
}

package struct ShownEvent: Sendable, Hashable {
    package var number: Int64
    package var kind: RoomEventKind
    /// The number of the message; that of the event for a sent one.
    package var message: Int64
    /// The marker in its text; nil without text.
    package var marker: String?
    package var at: Moment

    package init(_ number: Int64, _ kind: RoomEventKind = .sent, of message: Int64, marker: String?, at: Moment) {
        (self.number, self.kind, self.message, self.marker, self.at) = (number, kind, message, marker, at)
    }
}

package struct RoomEventRow: Sendable, Hashable {
    package var number: Int64
    package var kind: RoomEventKind
    /// The number of the message; that of the event for a sent one.
    package var message: Int64
    /// The marker in the message's text; nil after its deletion.
    package var marker: String?

    package init(_ number: Int64, _ kind: RoomEventKind = .sent, of message: Int64, marker: String?) {
        (self.number, self.kind, self.message, self.marker) = (number, kind, message, marker)
    }
}

extension MessageSend {
    var step: Step { attempt.step("sent \"\(marker)\"" + (number.map { ", answered as number \($0)" } ?? "")) }
}

extension MessageDeletion {
    var step: Step { attempt.step("deleted message \(message)") }
}

extension RoomReading {
    /// The line of a story for one of its events.
    func step(_ event: ShownEvent) -> Step {
        let text = event.marker.map { " \"\($0)\"" } ?? ""
        return Step(
            at: event.at,
            phone: device,
            what: "was shown number \(event.number), \(event.kind.rawValue) \(event.message)\(text)",
            trace: trace
        )
    }

    var step: Step {
        let from = after.map { " after number \($0)" } ?? ""
        return Step(at: begun, phone: device, what: "began to read\(from), until \(ended)", trace: trace)
    }
}

extension RoomEventRow {
    func step(at moment: Moment) -> Step {
        let text = marker.map { " \"\($0)\"" } ?? ""
        return Step(at: moment, phone: "table", what: "has number \(number), \(kind.rawValue) \(message)\(text)")
    }
}
