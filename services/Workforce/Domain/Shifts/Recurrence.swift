import Values

/// The rule of a repeating shift (MOUP contract 3A.9).
struct Recurrence: Sendable, Equatable {
    var days: Weekdays
    /// The last possible date.
    var until: CivilDate

    /// From the first date to the last, in days.
    static let longest = 365

    /// The dates of the rule, in order; the first date itself only if its weekday is included.
    ///
    /// - Throws: `WorkforceError.field` when it ends before it begins, `.limit` for more than a year, `.rule` when
    ///   there is no such date.
    func dates(from first: CivilDate) throws(WorkforceError) -> [CivilDate] {
        let span = until.dayNumber - first.dayNumber
        guard span >= 0 else { throw .field("repeatEndDate: 반복 종료일이 시작일보다 빠릅니다.") }
        guard span <= Self.longest else { throw .limit("반복 기간은 \(Self.longest)일까지 정할 수 있습니다.") }
        let dates = (0...span).map { first + $0 }.filter { days.contains($0.weekday) }
        guard !dates.isEmpty else { throw .rule("반복 기간에 선택한 요일이 없습니다.") }
        return dates
    }
}
