import Values

/// What a load has shown.
package struct LoadReport: Sendable {
    package var seed: UInt64
    /// That was asked for.
    package var length: Duration
    package var signedUp: Int
    package var isFixed: Bool
    /// Of the first act.
    package var start: Moment
    package var windows: [LoadWindow]
    package var control: LoadControl
    package var thresholds: Thresholds
    /// Whether it ended before its time.
    package var isInterrupted: Bool

    /// The windows that count for the number at the end: those in which it was held, or, if there are none, those in which
    /// the largest good number was tried.
    package var counted: [LoadWindow] {
        let held = windows.filter { $0.isHeld && !$0.isSettling && $0.people == control.people }
        return held.isEmpty ? windows.filter { !$0.isSettling && $0.people == people } : held
    }

    /// The number that was held, or found as far as the search went.
    package var people: Int { control.phase == .holding ? control.people : control.good }

    /// What was done in the windows that count, by kind.
    package var acts: [ActKind: LoadWindow.Acts] {
        counted.reduce(into: [:]) { sum, window in
            for (kind, acts) in window.acts { sum[kind, default: LoadWindow.Acts()].add(acts) }
        }
    }

    /// Seconds of processors that were used in the windows that count, by program.
    package var processors: [String: Double] {
        counted.reduce(into: [:]) { $0.merge($1.processors, uniquingKeysWith: +) }
    }

    /// The seconds of the windows that count.
    package var seconds: Double { counted.reduce(0) { $0 + $1.seconds } }

    /// How many processors the system uses, without the load generator and the outside systems' stand-in.
    package var processorsUsed: Double {
        let used = processors.filter { !ProgramMeter.outside.contains($0.key) }.values.reduce(0, +)
        return seconds > 0 ? used / seconds : 0
    }

    /// What broke in all windows that count together; for a number that was held without a search.
    package var breaches: [Breach] {
        guard let first = counted.first, let last = counted.last else { return [] }
        return LoadWindow(begun: first.begun, ended: last.ended, people: people, acts: acts).breaches(of: thresholds)
    }

    /// Whether the thresholds held with the number at the end.
    package var isGood: Bool {
        guard people > 0, !counted.isEmpty else { return false }
        if isFixed { return breaches.isEmpty }
        let held = control.held
        return held.good + held.bad == 0 ? control.good >= people : held.good > held.bad
    }
}
