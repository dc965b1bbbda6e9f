/// Shifts that workers began by the time clock, and the times that lists show.
package struct ClockHistory: Sendable {
    package var clockIns: [ClockIn] = []
    package var shown: [ShownShift] = []

    package init() {}
}

/// A worker clocked in for a new shift.
package struct ClockIn: Sendable, Hashable {
    package var attempt: Attempt
    /// The shift of the answer.
    package var shift: Int64
    /// How many seconds the phone's clock is ahead; below 0 it is behind.
    package var error: Int64

    package init(_ attempt: Attempt, shift: Int64, error: Int64) {
        (self.attempt, self.shift, self.error) = (attempt, shift, error)
    }
}

/// A phone was shown when a shift began.
package struct ShownShift: Sendable, Hashable {
    package var attempt: Attempt
    package var shift: Int64
    package var began: Moment

    package init(_ attempt: Attempt, shift: Int64, began: Moment) {
        (self.attempt, self.shift, self.began) = (attempt, shift, began)
    }
}
