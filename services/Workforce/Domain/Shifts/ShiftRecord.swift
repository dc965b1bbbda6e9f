import CivilTime
import FoundationEssentials
import Payroll

/// A shift as it is kept (MOUP contract 2, works).
struct ShiftRecord: Sendable, Equatable {
    var id: Int64
    var worker: Int64
    var workplace: Int64
    /// The series that it repeats in, and the day where that had placed it.
    var series: Int64?
    var seriesDate: CivilDate?
    /// The Korean day on which it starts.
    var date: CivilDate
    /// As planned; an open shift has no end.
    var startsAt: Date
    var endsAt: Date?
    /// Minutes of break.
    var restMinutes: Int
    /// As clocked in and out.
    var startedAt: Date?
    var endedAt: Date?
    var memo: String?

    /// Whether the clock, or somebody in its place, has recorded anything.
    var isBegun: Bool { startedAt != nil || endedAt != nil }

    /// The shift once its worker clocks out. An end that was planned stays; without one it ends with the work, and no shift
    /// is longer than a day. nil when nobody is at work on it.
    func clockedOut(at now: Date) -> ShiftRecord? {
        guard let startedAt, endedAt == nil else { return nil }
        var shift = self
        shift.endedAt = max(now, startedAt)
        shift.endsAt = endsAt ?? max(startsAt, min(now, startsAt + Double(ShiftMinutes.longest * 60)))
        return shift
    }
}
