import CivilTime

/// Who takes over from whom when a plan replaces shifts: whatever happens, no attendance is lost.
struct Succession: Sendable, Equatable {
    /// By the day that they share with a shift of the plan: of several, one that has begun.
    private(set) var predecessors: [CivilDate: ShiftRecord] = [:]
    /// Those that have begun, and that no shift of the plan takes over from.
    private(set) var kept: [Int64] = []

    /// - Parameter old: in order.
    init(of old: [ShiftRecord], by plan: ShiftPlan) {
        let days = Set(plan.occurrences.map(\.date))
        for shift in old.filter(\.isBegun) + old.filter({ !$0.isBegun }) {
            if days.contains(shift.date), predecessors[shift.date] == nil {
                predecessors[shift.date] = shift
            } else if shift.isBegun {
                kept.append(shift.id)
            }
        }
    }
}

/// A shift that takes over from another one.
struct ShiftCopy: Sendable, Equatable {
    var original: Int64
    var copy: Int64
}
