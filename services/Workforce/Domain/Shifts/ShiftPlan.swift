import FoundationEssentials
import Payroll
import Values

/// A validated plan of one shift or a series.
struct ShiftPlan: Sendable, Equatable {
    let restMinutes: Int
    let memo: String?
    /// Clock-in and clock-out times of a single shift.
    let startedAt: Date?
    let endedAt: Date?
    let recurrence: Recurrence?
    /// The date of the plan; a series may begin later.
    let firstDay: CivilDate
    /// In order, without overlaps.
    let occurrences: [Occurrence]

    /// One shift of the plan.
    struct Occurrence: Sendable, Equatable {
        /// The date of the start, in Korea.
        var date: CivilDate
        var startsAt: Date
        var endsAt: Date
    }

    static let longestMemo = 200

    /// - Parameters:
    ///   - startsAt, endsAt: of the first shift; the others have the same time of day and length.
    ///   - recurrence: nil for a single shift. Clock times are ignored for a series.
    /// - Throws: `WorkforceError.field`; the errors of `Recurrence.dates`.
    init(
        from startsAt: Date,
        to endsAt: Date,
        restMinutes: Int = 0,
        memo: String? = nil,
        startedAt: Date? = nil,
        endedAt: Date? = nil,
        recurrence: Recurrence? = nil
    ) throws(WorkforceError) {
        let start = SeoulTime.wholeSeconds(startsAt)
        let length = Int(SeoulTime.wholeSeconds(endsAt).timeIntervalSince(start))
        guard length > 0 else { throw .field("endTime: 종료 시각은 시작 시각보다 늦어야 합니다.") }
        guard length <= ShiftMinutes.longest * 60 else { throw .field("endTime: 근무는 24시간을 넘을 수 없습니다.") }
        guard (0...length / 60).contains(restMinutes) else {
            throw .field("restTimeMinutes: 휴게 시간은 0분 이상, 근무 시간 이하여야 합니다.")
        }
        guard memo.map({ TypedText.isShowable($0, limit: Self.longestMemo, manyLines: true) }) ?? true else {
            throw .field("memo: 메모는 \(Self.longestMemo)자까지, 글자로만 쓸 수 있습니다.")
        }
        if let startedAt, let endedAt, endedAt < startedAt {
            throw .field("actualEndTime: 실제 퇴근 시각이 출근 시각보다 빠릅니다.")
        }
        self.restMinutes = restMinutes
        self.memo = memo
        self.recurrence = recurrence
        self.startedAt = recurrence == nil ? startedAt.map(SeoulTime.wholeSeconds) : nil
        self.endedAt = recurrence == nil ? endedAt.map(SeoulTime.wholeSeconds) : nil
        let first = SeoulTime.date(of: start)
        firstDay = first
        let dates = if let recurrence { try recurrence.dates(from: first) } else { [first] }
        occurrences = dates.map { date in
            let startsAt = start + Double((date.dayNumber - first.dayNumber) * 86_400)
            return Occurrence(date: date, startsAt: startsAt, endsAt: startsAt + Double(length))
        }
        guard occurrences.allSatisfy({ Self.range.contains($0.startsAt) }) else {
            throw .field("startTime: 2000년부터 2099년까지의 시각이어야 합니다.")
        }
    }

    /// The years 2000 to 2099.
    private static let range = Date(timeIntervalSince1970: 946_684_800)..<Date(timeIntervalSince1970: 4_102_444_800)

    /// The first shift of the plan that overlaps one of the times.
    func overlap(with taken: [Range<Date>]) -> Occurrence? {
        occurrences.first { occurrence in
            let time = occurrence.startsAt..<occurrence.endsAt
            return taken.contains { $0.overlaps(time) }
        }
    }
}
