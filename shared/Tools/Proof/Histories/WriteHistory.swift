/// A write of one value that has one place: a field of a profile, whether a post is liked, whether a comment is there.
package struct Write: Sendable, Hashable {
    package var attempt: Attempt
    /// The place, such as "nickname of account 12", or "comment 'k7f3' of post 3" by a text that only it has.
    package var place: String
    /// The new value; nil for a deletion. A thing without content, such as a like, has "there".
    package var value: String?

    package init(_ attempt: Attempt, _ place: String, _ value: String?) {
        (self.attempt, self.place, self.value) = (attempt, place, value)
    }
}

/// What a place had when a phone read it, or a table at the end.
package struct WriteReading: Sendable, Hashable {
    /// The place as in `Write`.
    package var place: String
    package var value: String?
    /// The phone, or the table.
    package var reader: String
    package var begun: Moment
    package var ended: Moment
    package var trace: String?

    package init(
        _ place: String,
        _ value: String?,
        reader: String,
        begun: Moment,
        ended: Moment,
        trace: String? = nil
    ) {
        (self.place, self.value, self.reader) = (place, value, reader)
        (self.begun, self.ended, self.trace) = (begun, ended, trace)
    }
}

/// The writes of a run with what was read of their places.
package struct WriteHistory: Sendable {
    package var writes: [Write] = []
    /// Those of phones during the run, and of tables at the end.
    package var readings: [WriteReading] = []
    /// The values before the run; places that are not in it had none.
    package var initial: [String: String] = [:]

    package init() {}
}

extension Write {
    var step: Step { attempt.step("wrote \(place) = \(value.map { "\"\($0)\"" } ?? "nothing")") }
}

extension WriteReading {
    var step: Step {
        let text = value.map { "\"\($0)\"" } ?? "nothing"
        return Step(at: begun, phone: reader, what: "read \(place) = \(text) until \(ended)", trace: trace)
    }
}
