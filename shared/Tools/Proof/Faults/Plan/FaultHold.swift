/// The time of a fault with its effects, and what it holds meanwhile; in microseconds.
struct FaultHold: Sendable {
    let fault: PlannedFault
    let from: Int64
    /// When its effects are over.
    let to: Int64
    /// Until when nothing else may fail; the same as `to` for kinds that are not heavy.
    let quietUntil: Int64
    private let apart: Int64
    private let breaks: [String]
    private let needs: [String]
    /// Programs, or providers, of which not too many may be away at once; nil for others.
    let crowd: Crowd?

    enum Crowd: Sendable {
        case programs, providers
    }

    /// - Parameter ended: When the fault has ended; nil for the planned time.
    init(_ fault: PlannedFault, _ rules: FaultRules, ended: Moment? = nil) {
        let kind = rules[fault.kind]
        self.fault = fault
        from = fault.begins.microseconds
        to = (ended ?? fault.ends).microseconds + Self.microseconds(kind.settles)
        quietUntil = to + Self.microseconds(kind.quiet)
        apart = Self.microseconds(kind.apart)
        let name = fault.target.name
        breaks = (kind.breaks ?? []).map { $0 == "target" ? name : $0 }
        needs = kind.needs ?? []
        let hitsTarget = kind.breaks?.contains("target") == true
        crowd = hitsTarget ? (rules.providers[name] == nil ? .programs : .providers) : nil
    }

    private static func microseconds(_ seconds: Double?) -> Int64 { Int64((seconds ?? 0) * 1e6) }

    /// Whether effects of both go on at some time.
    func overlaps(_ other: FaultHold) -> Bool { from <= other.to && other.from <= to }

    /// Whether both may not be.
    func conflicts(with other: FaultHold) -> Bool {
        if apart > 0, other.apart > 0, fault.target == other.fault.target,
            abs(from - other.from) < max(apart, other.apart)
        {
            return true
        }
        guard !disturbs(other), !other.disturbs(self) else { return true }
        guard overlaps(other) else { return false }
        return breaks.contains { other.breaks.contains($0) || other.needs.contains($0) }
            || needs.contains { other.breaks.contains($0) }
    }

    /// Whether effects go on in the time after another one in which nothing else may fail.
    private func disturbs(_ other: FaultHold) -> Bool {
        other.quietUntil > other.to && from <= other.quietUntil && other.to < to
    }
}
