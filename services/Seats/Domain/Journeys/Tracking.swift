import FoundationEssentials

/// The tracked arrival of a journey's train at the destination, and its update by observations of that station's
/// arrivals (SeatCatcher contract 4.9, W13).
struct Tracking: Sendable, Equatable {
    var expectedArrival: Date
    /// Whether the last check found the train.
    var wasSeen = false
    /// Number of times that the arrival was postponed because the train was not found.
    var blindExtensions = 0

    /// The result of a check.
    enum Observation: Sendable, Equatable {
        /// The train is announced, with the remaining seconds.
        case seen(ArrivalCode, seconds: Int)
        /// The arrivals do not contain the train.
        case notSeen
        /// The arrivals are unavailable.
        case unavailable
    }

    enum Outcome: Sendable, Equatable {
        case arrived
        /// - Parameter isChanged: whether the expected arrival has changed.
        case underway(Tracking, isChanged: Bool)
    }

    /// Smaller deviations from the expected arrival are ignored, in seconds.
    static let tolerance = 40.0
    /// The delay assumed from now for a train that is not found shortly before its arrival, in seconds.
    static let blindExtension = 600.0
    /// After this number of extensions the timetable decides.
    static let blindExtensionLimit = 3
    /// Minimum time between two checks, in seconds.
    static let shortestPause = 5.0

    /// The outcome of a check.
    func after(_ observation: Observation, now: Date) -> Outcome {
        switch observation {
        case .seen(let code, let seconds): seen(code, seconds: seconds, now: now)
        case .notSeen: notSeen(now: now)
        case .unavailable: expectedArrival <= now ? .arrived : .underway(self, isChanged: false)
        }
    }

    private func seen(_ code: ArrivalCode, seconds: Int, now: Date) -> Outcome {
        guard !code.isHere else { return .arrived }
        var next = self
        next.wasSeen = true
        // The train has not arrived, even if the expected arrival has passed.
        let live = now + max(Double(seconds), Self.shortestPause)
        let isLate = code == .enteringPrevious && live > expectedArrival
        let isOff = abs(live.timeIntervalSince(expectedArrival)) > Self.tolerance
        if isLate || isOff || expectedArrival <= now { next.expectedArrival = live }
        return .underway(next, isChanged: next.expectedArrival != expectedArrival)
    }

    private func notSeen(now: Date) -> Outcome {
        guard !wasSeen else { return .arrived }
        let remaining = expectedArrival.timeIntervalSince(now)
        guard remaining < Self.blindExtension, blindExtensions < Self.blindExtensionLimit else {
            return remaining > 0 ? .underway(self, isChanged: false) : .arrived
        }
        var next = self
        next.expectedArrival = now + Self.blindExtension
        next.blindExtensions += 1
        return .underway(next, isChanged: true)
    }

    /// The time of the next check: when a fifth of the remaining time is left; at the start of a ride of less than half
    /// an hour, after 10 seconds. At the earliest in 5 seconds, but not after the expected arrival.
    static func nextCheck(expectedArrival: Date, now: Date, isFirst: Bool) -> Date {
        let step = (expectedArrival.timeIntervalSince(now) / 5).rounded(.down)
        let wanted = isFirst && step < 360 ? now + 10 : max(expectedArrival - step, now + shortestPause)
        return max(now, min(wanted, expectedArrival))
    }
}
