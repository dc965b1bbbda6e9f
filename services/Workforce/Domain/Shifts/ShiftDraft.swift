import FoundationEssentials
import Values

/// A shift to be stored, with the wage terms that it is recorded under.
struct ShiftDraft: Sendable, Equatable {
    var date: CivilDate
    var startsAt: Date
    /// nil for a shift begun by the clock.
    var endsAt: Date?
    var restMinutes = 0
    var startedAt: Date?
    var endedAt: Date?
    var memo: String?
    var terms: Wage.Snapshot
}

extension ShiftPlan {
    /// The shifts to be stored, in order.
    func drafts(at wages: WageHistory) -> [ShiftDraft] {
        occurrences.map { occurrence in
            ShiftDraft(
                date: occurrence.date,
                startsAt: occurrence.startsAt,
                endsAt: occurrence.endsAt,
                restMinutes: restMinutes,
                startedAt: startedAt,
                endedAt: endedAt,
                memo: memo,
                terms: wages.snapshot(on: occurrence.date)
            )
        }
    }
}
