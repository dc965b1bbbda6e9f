/// Finds how many people a system serves, from what is measured in windows of equal length, and then holds that number.
///
/// A number is tried in windows until two of them are good, or two bad: one bad second decides nothing. A number that was
/// bad is tried a second time before it counts as too large. From a good number it goes on to twice as many while thresholds
/// are far, and to a quarter more when they are near; between the largest good and the smallest bad number it goes to the
/// middle, until they differ by a twentieth; then the bad one is tried once more, since the machine may have been busy with
/// something else. Windows after a change of the number do not count. If the found number turns out to be too large while
/// it is held, a tenth is taken off.
package struct LoadControl: Sendable {
    package enum Phase: Sendable, Equatable { case searching, holding }

    /// The judgement of a number of people.
    package struct Trial: Sendable, Equatable {
        package var people: Int
        package var good = 0
        package var bad = 0
        /// What broke in the bad windows, a sentence each, without repetitions.
        package var breaches: [String] = []
        /// nil before two windows were equal.
        package var isGood: Bool? { good == 2 ? true : bad == 2 ? false : nil }
    }

    /// The most people that it may ask for.
    package let most: Int
    private let isFixed: Bool
    /// The part of the found number that is held.
    package let share: Double
    /// After this number of windows the search ends.
    private let searchWindows: Int

    /// The number of people in the next window.
    package private(set) var people: Int
    package private(set) var phase: Phase
    /// Those that came to a judgement, in their order.
    package private(set) var trials: [Trial] = []
    /// The largest number that was good; 0 for none.
    package private(set) var good = 0
    /// The smallest number that was bad twice; nil for none.
    package private(set) var bad: Int?
    /// The windows in which the number was held, since it last changed.
    package private(set) var held = (good: 0, bad: 0)

    private var trial: Trial
    private var windows = 0
    private var settling: Int
    private var isConfirming = false
    /// Whether the smallest bad number was tried again at the end of the search.
    private var isSure = false
    private var nearest = 0.0

    private static let start = 20
    private static let precision = 0.05

    /// - Parameters:
    ///   - most: The most people; at least 1.
    ///   - isFixed: Whether that number is held from the beginning.
    ///   - share: The part of the found number that is held, above 0 and at most 1.
    ///   - windows: The number of windows of the whole run, of which the search may take three fifths.
    package init(most: Int, isFixed: Bool = false, share: Double = 1, windows: Int) {
        (self.most, self.isFixed, self.share) = (max(1, most), isFixed, share)
        searchWindows = max(1, windows * 3 / 5)
        people = isFixed ? self.most : min(self.most, Self.start)
        phase = isFixed ? .holding : .searching
        trial = Trial(people: people)
        // Caches are empty at first.
        settling = 2
    }

    /// Whether the next window follows a change of the number, so that it does not count.
    package var isSettling: Bool { settling > 0 }

    /// Takes what was measured in a window, and decides on the number in the next one.
    ///
    /// - Parameters:
    ///   - breaches: What broke; none for a good window.
    ///   - use: How close the slowest kind of act came to its threshold.
    package mutating func take(breaches: [String], use: Double) {
        windows += 1
        if settling > 0 {
            settling -= 1
        } else {
            judge(breaches, use)
        }
        if phase == .searching, windows >= searchWindows { hold() }
    }

    private mutating func judge(_ breaches: [String], _ use: Double) {
        if breaches.isEmpty { trial.good += 1 } else { trial.bad += 1 }
        trial.breaches += breaches.filter { !trial.breaches.contains($0) }
        nearest = max(nearest, use)
        if phase == .holding { if breaches.isEmpty { held.good += 1 } else { held.bad += 1 } }
        guard let isGood = trial.isGood else { return }
        if phase == .searching || !isGood { trials.append(trial) }
        guard isGood || isConfirming || (phase == .holding && isFixed) else {
            // The same number again, with a pause before.
            isConfirming = true
            return settle(at: people, for: 1)
        }
        isConfirming = false
        switch phase {
        case .searching: search(isGood)
        case .holding: keep(isGood)
        }
    }

    private mutating func search(_ isGood: Bool) {
        if isGood {
            good = max(good, people)
            // What was bad before is good now.
            if let known = bad, people >= known { bad = nil }
        } else {
            isSure = people == bad
            bad = min(bad ?? people, people)
        }
        guard let bad else {
            guard people < most else { return hold() }
            let next = nearest < 0.5 ? people * 2 : people + max(1, people / 4)
            return settle(at: min(next, most), for: 1)
        }
        guard bad > 1 else { return hold() }
        guard bad - good > max(1, Int(Double(bad) * Self.precision)) else {
            return isSure ? hold() : settle(at: bad, for: 1)
        }
        settle(at: max(1, (good + bad) / 2), for: isGood ? 1 : 2)
    }

    private mutating func keep(_ isGood: Bool) {
        guard !isGood, !isFixed, people > 1 else { return settle(at: people, for: 0) }
        bad = min(bad ?? people, people)
        (good, held) = (0, (0, 0))
        settle(at: max(1, people - max(1, people / 10)), for: 2)
    }

    private mutating func hold() {
        phase = .holding
        isConfirming = false
        let found = max(1, good > 0 ? good : min(people, bad.map { $0 - 1 } ?? people))
        let number = max(1, Int(Double(found) * share))
        settle(at: number, for: number < people ? 2 : number == people ? 0 : 1)
    }

    /// Begins a trial.
    private mutating func settle(at number: Int, for windows: Int) {
        (people, settling, nearest) = (number, windows, 0)
        trial = Trial(people: number)
    }
}
