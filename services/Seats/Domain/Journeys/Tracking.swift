import FoundationEssentials

/// What a journey knows of its train's arrival at the station where the traveller gets off, and how an observation of
/// that station's board changes it (SeatCatcher contract 4.9, W13).
struct Tracking: Sendable, Equatable {
    var expectedArrival: Date
    /// Whether the last look at the board found the train.
    var wasSeen = false
    /// How often the arrival was put off because the train was not to be found.
    var blindExtensions = 0

    /// What a look at the board brought.
    enum Observation: Sendable, Equatable {
        /// The train is announced, so many seconds away.
        case seen(ArrivalCode, seconds: Int)
        /// There is a board, and the train is not on it.
        case notSeen
        /// There is no board.
        case unavailable
    }

    enum Outcome: Sendable, Equatable {
        case arrived
        /// - Parameter isChanged: whether the expected arrival is another than before.
        case underway(Tracking, isChanged: Bool)
    }

    /// Smaller differences between the board and what is expected are not told.
    static let tolerance = 40.0
    /// A train that is not found so shortly before it should arrive is late: by this much, from now.
    static let blindExtension = 600.0
    /// After so many the timetable decides.
    static let blindExtensionLimit = 3
    /// The shortest time between two looks, in seconds.
    static let shortestPause = 5.0

    /// Takes a look at the board into account.
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
        // It is not here yet, whatever was expected.
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

    /// When to look next: when a fifth of the remaining time is left; on a ride of less than half an hour first after 10
    /// seconds. Not sooner than in 5 seconds, and not after the expected arrival, whichever is sooner.
    static func nextCheck(expectedArrival: Date, now: Date, isFirst: Bool) -> Date {
        let step = (expectedArrival.timeIntervalSince(now) / 5).rounded(.down)
        let wanted = isFirst && step < 360 ? now + 10 : max(expectedArrival - step, now + shortestPause)
        return max(now, min(wanted, expectedArrival))
    }
}
