import Contracts
import FoundationEssentials
import Payroll
import Values

/// A stored shift (MOUP contract 2, works).
struct ShiftRecord: Sendable, Equatable {
    var id: ShiftID
    var worker: WorkerID
    var workplace: WorkplaceID
    /// The series of the shift, and the date that the series assigned to it.
    var series: SeriesID?
    var seriesDate: CivilDate?
    /// The date of the start, in Korea.
    var date: CivilDate
    /// Planned times; a shift begun by the clock has no end until clock-out.
    var startsAt: Date
    var endsAt: Date?
    /// Break in minutes.
    var restMinutes: Int
    /// Clock-in and clock-out times.
    var startedAt: Date?
    var endedAt: Date?
    var memo: String?

    /// Whether a clock time is recorded, by the clock or by hand.
    var isBegun: Bool { startedAt != nil || endedAt != nil }

    /// The shift after clock-out. A planned end is kept; otherwise the shift ends now, at most a day after its start.
    /// nil for a shift without a clock-in, or with a clock-out.
    func clockedOut(at now: Date) -> ShiftRecord? {
        guard let startedAt, endedAt == nil else { return nil }
        var shift = self
        shift.endedAt = max(now, startedAt)
        shift.endsAt = endsAt ?? max(startsAt, min(now, startsAt + Double(ShiftMinutes.longest * 60)))
        return shift
    }
}
