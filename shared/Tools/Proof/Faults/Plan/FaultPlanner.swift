/// Places faults in time. A fault is placed only where it conflicts with no other one.
///
/// Nothing is chosen by the order of a set or a dictionary, which differs between runs.
struct FaultPlanner {
    private let offer: FaultOffer
    let rules: FaultRules
    /// In microseconds.
    let length: Int64
    private(set) var faults: [PlannedFault] = []
    /// Heavy faults, and the others by the minute in which they begin.
    private var heavy: [FaultHold] = []
    private var light: [[FaultHold]]

    static let minute: Int64 = 60_000_000
    static func minutes(_ microseconds: Int64) -> Double { Double(microseconds) / Double(minute) }
    /// No fault begins earlier.
    private static let start: Int64 = 1_000_000

    init(offer: FaultOffer, rules: FaultRules, length: Int64) {
        (self.offer, self.rules, self.length) = (offer, rules, max(length, 1))
        light = Array(repeating: [], count: Int((self.length - 1) / Self.minute) + 1)
    }

    func offered(heavy: Bool) -> [FaultOffer.Kind] { offer.kinds.filter { rules[$0.kind].isHeavy == heavy } }

    /// How many faults of a rate begin in a stretch of the run, in minutes. A phase from 0 to 1 shifts them, so that rates
    /// below one occur in some minutes only, and as often as they should in all.
    static func count(_ perMinute: Double, from: Double, to: Double, phase: Double) -> Int {
        Int(perMinute * to + phase) - Int(perMinute * from + phase)
    }

    /// A fault of a kind that begins at a random time of a range.
    func draw(
        _ kind: FaultOffer.Kind,
        in range: Range<Int64>,
        using generator: inout some RandomNumberGenerator
    ) -> PlannedFault {
        let rule = rules[kind.kind]
        let begins = Int64.random(in: range, using: &generator)
        let target = kind.targets[Int.random(in: 0..<kind.targets.count, using: &generator)]
        var lasts: Int64 = 0
        if let seconds = rule.seconds, seconds.count == 2 {
            // Most are short.
            let share = Double.random(in: 0..<1, using: &generator)
            lasts = Int64((seconds[0] + (seconds[1] - seconds[0]) * share * share * share) * 1e6)
        }
        var strength = 0
        if let range = rule.strength, range.count == 2 {
            strength = Int.random(in: range[0]...max(range[0], range[1]), using: &generator)
        }
        return PlannedFault(
            begins: Moment(microseconds: begins),
            lasts: lasts,
            kind: kind.kind,
            target: target,
            strength: strength
        )
    }

    /// Adds a fault, if that is fair.
    ///
    /// - Returns: Whether it was added.
    mutating func place(_ fault: PlannedFault) -> Bool {
        let hold = FaultHold(fault, rules)
        let position = Int(hold.from / Self.minute)
        guard hold.from >= Self.start, hold.quietUntil <= length, light.indices.contains(position) else { return false }
        // Those that are not heavy are over after two minutes.
        let near = light[max(0, position - 2)...min(light.count - 1, position + 2)] + [heavy]
        var beside = 0
        for holds in near {
            for other in holds {
                guard !other.conflicts(with: hold) else { return false }
                if let crowd = hold.crowd, other.crowd == crowd, other.overlaps(hold) { beside += 1 }
            }
        }
        guard beside < rules.mostAtOnce else { return false }
        if rules[fault.kind].isHeavy { heavy.append(hold) } else { light[position].append(hold) }
        faults.append(fault)
        return true
    }

    /// Draws a kind of several that occurs as often as its rate says.
    func weighted(
        _ kinds: [FaultOffer.Kind],
        using generator: inout some RandomNumberGenerator
    ) -> FaultOffer.Kind? {
        let total = kinds.map { rules[$0.kind].perMinute }.reduce(0, +)
        guard total > 0 else { return nil }
        var left = Double.random(in: 0..<total, using: &generator)
        for kind in kinds {
            left -= rules[kind.kind].perMinute
            if left < 0 { return kind }
        }
        return kinds.last
    }
}
