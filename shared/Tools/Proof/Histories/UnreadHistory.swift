/// A phone said up to where its owner has read a room.
package struct RoomRead: Sendable, Hashable {
    package var attempt: Attempt
    /// The number of the last event that the phone has shown.
    package var through: Int64

    package init(_ attempt: Attempt, through: Int64) { (self.attempt, self.through) = (attempt, through) }
}

/// A list of rooms showed how many messages of a room are unread.
package struct UnreadCount: Sendable, Hashable {
    package var attempt: Attempt
    package var count: Int64

    package init(_ attempt: Attempt, _ count: Int64) { (self.attempt, self.count) = (attempt, count) }
}

extension RoomRead {
    var step: Step { attempt.step("has read through number \(through)") }
}

extension UnreadCount {
    var step: Step { attempt.step("was shown \(count) unread messages") }
}
