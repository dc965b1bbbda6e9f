/// A person who left an app for good.
package struct Leaver: Sendable, Hashable {
    /// The withdrawal.
    package var attempt: Attempt
    /// Texts that only this person's data has, such as the nickname, the phone number and words in texts.
    package var markers: Set<String>

    package init(_ attempt: Attempt, markers: Set<String>) { (self.attempt, self.markers) = (attempt, markers) }
}

/// A marker that was found in a table.
package struct Occurrence: Sendable, Hashable {
    package var marker: String
    /// Schema, table and column, such as "chat.messages.content".
    package var place: String
    package var rows: Int
    package var at: Moment

    package init(_ marker: String, in place: String, rows: Int = 1, at: Moment) {
        (self.marker, self.place, self.rows, self.at) = (marker, place, rows, at)
    }
}
