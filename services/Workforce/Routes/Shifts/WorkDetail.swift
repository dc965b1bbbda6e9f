import AppWire

/// A shift with all that belongs to it (MOUP contract 1.3, WorkDetail).
struct WorkDetail: Encodable {
    var workId: Int64
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

    init(_ detail: ShiftDetail, shownTo account: Int64) {
        let (entry, shift) = (detail.entry, detail.shift)
        workId = entry.id
        workerSummaryInfo = WorkerSummary(entry.worker)
        workplaceSummaryInfo = WorkplaceSummary(entry.workplace)
        isMyWork = entry.isOfWorker(account)
        isEditable = entry.isEditable(by: account)
        routineSummaryInfoList = detail.routines.map { [isMyWork] in RoutineSummary($0, isOwn: isMyWork) }
        workDate = WireDate(shift.date)
        startTime = Instant(shift.startsAt)
        actualStartTime = shift.startedAt.map(Instant.init)
        endTime = shift.endsAt.map(Instant.init)
        actualEndTime = shift.endedAt.map(Instant.init)
        restTimeMinutes = shift.restMinutes
        workMinutes = entry.netMinutes
        memo = shift.memo
        repeatDays = entry.recurrence?.days.days.map(DayOfWeek.init) ?? []
        repeatEndDate = (entry.recurrence?.until).map(WireDate.init)
    }
}

extension RoutineSummary {
    /// - Parameter isOwn: whether it is shown to whose it is; others see its title only (MOUP contract 4, routines).
    fileprivate init(_ linked: LinkedRoutine, isOwn: Bool) {
        self.init(
            routineId: linked.routine.id,
            routineName: linked.routine.name,
            alarmTime: isOwn ? linked.routine.alarmMinute.map(ClockTime.init) : nil,
            linkedWorks: !isOwn
                ? []
                : linked.links.map { link in
                    LinkedWork(
                        workId: link.shift,
                        repeatDays: Weekdays(rawValue: link.days).days.map(DayOfWeek.init)
                    )
                }
        )
    }
}
