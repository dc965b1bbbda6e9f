import Contracts
import Values

/// Maps existing shifts to those of a plan that replaces them, so that no attendance is lost.
struct SeriesReplacement: Sendable, Equatable {
    /// The replaced shift of each date of the plan; of several, one that has begun.
    private(set) var predecessors: [CivilDate: ShiftRecord] = [:]
    /// Shifts that have begun and have no successor in the plan.
    private(set) var kept: [ShiftID] = []

    /// - Parameter old: in ascending order.
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

/// A shift and its copy.
struct ShiftCopy: Sendable, Equatable {
    var original: ShiftID
    var copy: ShiftID
}
