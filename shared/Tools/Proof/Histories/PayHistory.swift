package import Values

/// A shift of a worker, as its phone has recorded it.
package struct WorkedShift: Sendable, Hashable {
    package var date: CivilDate
    /// Minutes after midnight.
    package var start: Int
    /// Minutes from start to end.
    package var length: Int
    /// Minutes of unpaid break.
    package var rest: Int

    package init(_ date: CivilDate, start: Int, length: Int, rest: Int) {
        (self.date, self.start, self.length, self.rest) = (date, start, length, rest)
    }
}

/// A payslip as a phone was shown it, with the shifts of the month that the phone knew of then.
package struct PayslipReading: Sendable, Hashable {
    package var worker: String
    package var month: CivilMonth
    /// In won or minutes, by the names of the lines.
    package var shown: [String: Int64]
    /// Those that were acknowledged, and not removed.
    package var shifts: [WorkedShift]
    /// Those of which it is open whether they are there, since an answer was lost.
    package var open: [WorkedShift]
    package var at: Moment
    package var trace: String?

    package init(
        _ worker: String,
        _ month: CivilMonth,
        shown: [String: Int64],
        shifts: [WorkedShift],
        open: [WorkedShift],
        at: Moment,
        trace: String? = nil
    ) {
        (self.worker, self.month, self.shown) = (worker, month, shown)
        (self.shifts, self.open, self.at, self.trace) = (shifts, open, at, trace)
    }
}

/// The amounts of a payslip, in won or minutes by the names of their lines.
package struct PayslipPair: Sendable, Hashable {
    /// Whose payslip of which month, such as "worker 12, 2026-11".
    package var subject: String
    package var stored: [String: Int64]
    /// Each that may be right, at least one: several where it is open whether a shift is there.
    package var recomputed: [[String: Int64]]
    /// When it was read.
    package var at: Moment
    package var trace: String?

    package init(
        _ subject: String,
        stored: [String: Int64],
        recomputed: [[String: Int64]],
        at: Moment,
        trace: String? = nil
    ) {
        (self.subject, self.stored, self.recomputed) = (subject, stored, recomputed)
        (self.at, self.trace) = (at, trace)
    }
}
