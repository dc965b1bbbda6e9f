import Apps
import Contracts
import FoundationEssentials

/// The body of a shift plan (MOUP contract 1.3, WorkBody).
struct WorkBody: Decodable {
    private var startTime: Instant
    private var actualStartTime: Instant?
    private var endTime: Instant
    private var actualEndTime: Instant?
    private var restTimeMinutes: Int
    private var memo: String?
    private var repeatDays: [DayOfWeek]
    private var repeatEndDate: WireDate?

    /// The plan with its recurrence.
    ///
    /// - Throws: the errors of `ShiftPlan`; `WorkforceError.field` for a recurrence without an end.
    func plan() throws -> ShiftPlan {
        guard !repeatDays.isEmpty else { return try plan(nil) }
        guard let until = repeatEndDate?.date else {
            throw WorkforceError.field("repeatEndDate: 반복 종료일을 입력하세요.")
        }
        return try plan(Recurrence(days: Weekdays(repeatDays.map(\.weekday)), until: until))
    }

    /// The plan of a single shift; the recurrence is ignored.
    func singlePlan() throws -> ShiftPlan { try plan(nil) }

    private func plan(_ recurrence: Recurrence?) throws -> ShiftPlan {
        try ShiftPlan(
            from: startTime.date,
            to: endTime.date,
            restMinutes: restTimeMinutes,
            memo: memo,
            startedAt: actualStartTime?.date,
            endedAt: actualEndTime?.date,
            recurrence: recurrence
        )
    }
}

/// The body of a plan by the worker, with routines.
struct OwnWorkBody: Decodable {
    let work: WorkBody
    let routines: [RoutineID]

    private enum CodingKeys: CodingKey {
        case routineIdList
    }

    init(from decoder: any Decoder) throws {
        work = try WorkBody(from: decoder)
        routines = try decoder.container(keyedBy: CodingKeys.self).decode([RoutineID].self, forKey: .routineIdList)
    }
}

/// The body of a plan by the owner for several workers.
struct BatchWorkBody: Decodable {
    let work: WorkBody
    let workers: [WorkerID]

    private enum CodingKeys: CodingKey {
        case workerIdList
    }

    init(from decoder: any Decoder) throws {
        work = try WorkBody(from: decoder)
        workers = try decoder.container(keyedBy: CodingKeys.self).decode([WorkerID].self, forKey: .workerIdList)
    }
}

/// The ids of new shifts.
struct WorkIDs: Encodable {
    var workIdList: [ShiftID]
}

/// The result of a plan for several workers (MOUP contract 1.4, call 30).
struct BatchAnswer: Encodable {
    var successWorkIdList: [ShiftID]
    var failedWorkerInfoList: [Failed]

    struct Failed: Encodable {
        var workerId: WorkerID
        var nickname: String
        /// A text for display.
        var reason: String
    }

    init(_ batch: Shifts.Batch) {
        successWorkIdList = batch.shifts
        failedWorkerInfoList = batch.failures.map {
            Failed(workerId: $0.worker, nickname: $0.nickname, reason: $0.reason.problem.message)
        }
    }
}
