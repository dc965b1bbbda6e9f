import Apps
import Contracts
import Values

/// A shift with all details (MOUP contract 1.3, WorkDetail).
struct WorkDetail: Encodable {
    var workId: ShiftID
    var workerSummaryInfo: WorkerSummary
    var workplaceSummaryInfo: WorkplaceSummary
    var routineSummaryInfoList: [RoutineSummary]
    var workDate: WireDate
    var startTime: Instant
    @Nullable var actualStartTime: Instant?
    @Nullable var endTime: Instant?
    @Nullable var actualEndTime: Instant?
    var restTimeMinutes: Int
    var workMinutes: Int
    @Nullable var memo: String?
    var repeatDays: [DayOfWeek]
    @Nullable var repeatEndDate: WireDate?
    var isMyWork: Bool
    var isEditable: Bool

    init(_ detail: ShiftDetail, shownTo account: AccountID) {
        let (entry, shift) = (detail.entry, detail.shift)
        workId = entry.id
        workerSummaryInfo = WorkerSummary(entry.worker)
        workplaceSummaryInfo = WorkplaceSummary(entry.workplace)
        isMyWork = entry.isOfWorker(account)
        isEditable = entry.isEditable(by: account)
        // Users other than the worker see only the titles (MOUP contract 4, routines).
        routineSummaryInfoList = detail.routines.map { [isMyWork] routine in
            guard isMyWork else { return RoutineSummary(titleOf: routine) }
            return RoutineSummary(routine, links: detail.links.filter { $0.routine == routine.id })
        }
        workDate = WireDate(shift.date)
        startTime = Instant(shift.startsAt)
        actualStartTime = shift.startedAt.map(Instant.init)
        endTime = shift.endsAt.map(Instant.init)
        actualEndTime = shift.endedAt.map(Instant.init)
        restTimeMinutes = shift.restMinutes
        workMinutes = entry.netMinutes
        memo = shift.memo
        repeatDays = DayOfWeek.days(entry.recurrence?.days.rawValue ?? 0)
        repeatEndDate = (entry.recurrence?.until).map(WireDate.init)
    }
}
