/// One line of a story: what a phone did or was answered.
package struct Step: Sendable, Equatable {
    package var at: Moment
    /// The name of the phone, or of the table that was read.
    package var phone: String
    package var what: String
    /// The request's trace, by which the console shows what happened inside; nil without a request.
    package var trace: String?

    package init(at: Moment, phone: String, what: String, trace: String? = nil) {
        (self.at, self.phone, self.what, self.trace) = (at, phone, what, trace)
    }
}

/// A promise that was not kept, with what phones saw of it.
package struct Violation: Sendable, Equatable {
    /// The maximum number of steps of a story.
    package static let longestStory = 20

    package var sentence: String
    /// In the order of time.
    package var story: [Step]

    package init(_ sentence: String, story: [Step]) {
        (self.sentence, self.story) = (sentence, Array(story.sorted { $0.at < $1.at }.suffix(Self.longestStory)))
    }
}

/// What the check of a promise has found.
package struct Finding: Sendable, Equatable {
    /// The promise as a sentence, such as "A seat has one occupant at a time."
    package var promise: String
    /// How many acts, messages or rows it was checked for.
    package var checked: Int
    package var violations: [Violation]
    /// What the check could not decide within its limit of steps, as sentences. A promise with some is not known to be
    /// kept.
    package var undecided: [String]

    package init(_ promise: String, checked: Int, violations: [Violation], undecided: [String] = []) {
        (self.promise, self.checked) = (promise, checked)
        (self.violations, self.undecided) = (violations, undecided)
    }

    /// Whether the promise is known to be kept.
    package var isKept: Bool { violations.isEmpty && undecided.isEmpty }
}
