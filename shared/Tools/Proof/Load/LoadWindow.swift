/// What was measured in a few seconds with a number of people.
package struct LoadWindow: Sendable, Equatable {
    package struct Acts: Sendable, Equatable {
        /// From the time at which an act was due to its answer.
        package var latencies = Latencies()
        /// How many took longer than their threshold.
        package var late = 0
        /// How many still waited at the end of the window, and were late by then.
        package var waiting = 0
        /// Without an answer, or with one that says that the system failed.
        package var errors = 0
        /// Answered with a refusal that users know, such as that a seat is taken.
        package var refused = 0

        package init() {}

        package var count: Int { latencies.count }

        mutating func add(_ other: Acts) {
            latencies.add(other.latencies)
            (late, errors, refused) = (late + other.late, errors + other.errors, refused + other.refused)
        }
    }

    package var begun: Moment
    package var ended: Moment
    package var people: Int
    /// Without kinds of which there was no act.
    package var acts: [ActKind: Acts]
    /// Seconds of processors that were used, by program.
    package var processors: [String: Double] = [:]
    /// Bytes of memory at its end, by program, with shared pages divided among processes; empty where it was not read.
    package var memory: [String: Int] = [:]
    /// Whether it followed a change of the number of people, so that it decides nothing.
    package var isSettling = false
    /// Whether the number was held, and not searched for.
    package var isHeld = false
    /// The thresholds that broke.
    package var breaches: [Breach] = []

    package init(begun: Moment, ended: Moment, people: Int, acts: [ActKind: Acts]) {
        (self.begun, self.ended, self.people, self.acts) = (begun, ended, people, acts)
    }

    package var seconds: Double { Double(ended.microseconds - begun.microseconds) / 1e6 }

    /// Acts of all kinds.
    package var total: Acts { acts.values.reduce(into: Acts()) { $0.add($1) } }
}

/// A threshold that broke.
package struct Breach: Sendable, Equatable {
    /// nil for the share of errors.
    package var kind: ActKind?
    /// Such as "p99 of send a message was 612 ms instead of 400 ms".
    package var sentence: String
}
