import Apps
import Contracts
import Hummingbird
import ServiceKit
import Values

/// Routines and their completion (MOUP contract 1.4, calls 43 to 49 and 66).
struct RoutineRoutes {
    let routines: Routines
    let shifts: ShiftRoutines

    // MARK: Routines

    struct RoutineRequest: Decodable {
        var routineName: String
        var alarmTime: ClockTime?
        var routineTaskList: [TaskRequest]

        struct TaskRequest: Decodable {
            var content: String
            var orderIndex: Int64
        }

        func draft() throws -> RoutineDraft {
            try RoutineDraft(
                name: routineName,
                alarmMinute: alarmTime?.minute,
                tasks: routineTaskList.map { RoutineDraft.Task(content: $0.content, order: $0.orderIndex) }
            )
        }
    }

    struct CreatedResponse: Encodable {
        var routineId: RoutineID
    }

    struct ListResponse: Encodable {
        var routineSummaryInfoList: [RoutineSummary]
    }

    struct TodayResponse: Encodable {
        var todayWorkRoutineCountList: [Day]

        struct Day: Encodable {
            var workId: ShiftID
            var workplaceSummaryInfo: WorkplaceSummary
            var startTime: Instant
            var endTime: Instant
            /// From start to end, including the break.
            var workMinutes: Int
            var routineCount: Int
        }
    }

    /// `POST /routines` → 201 with the id.
    func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let draft = try await request.json(RoutineRequest.self, context).draft()
        let id = try await routines.create(draft, of: context.account)
        var response = try Response.json(CreatedResponse(routineId: id), status: .created)
        response.headers[.location] = request.location("/routines/\(id)")
        return response
    }

    /// `GET /routines` → 200, by alarm time, those without one last.
    func list(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let all = try await routines.all(of: context.account)
        return try .json(ListResponse(routineSummaryInfoList: all.map { RoutineSummary($0.routine, links: $0.links) }))
    }

    /// `GET /routines/today` → 200: today's shifts with routines. Shifts without an end are omitted, since some
    /// versions of the app cannot decode them (MOUP contract 1.5).
    func today(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let days = try await routines.today(of: context.account).map { day in
            TodayResponse.Day(
                workId: day.shift,
                workplaceSummaryInfo: WorkplaceSummary(day.workplace),
                startTime: Instant(day.startsAt),
                endTime: Instant(day.endsAt),
                workMinutes: SeoulTime.minutes(from: day.startsAt, to: day.endsAt),
                routineCount: day.routineCount
            )
        }
        return try .json(TodayResponse(todayWorkRoutineCountList: days))
    }

    /// `GET /routines/{routineId}?view=` → 200 with the tasks, or only the summary.
    func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let wantsSummary = try request.wantsSummary()
        let (linked, tasks) = try await routines.routine(
            context.pathID("routineId", as: RoutineID.self),
            of: context.account
        )
        let summary = RoutineSummary(linked.routine, links: linked.links)
        return wantsSummary ? try .json(summary) : try .json(RoutineDetail(summary, tasks: tasks))
    }

    /// `PATCH /routines/{routineId}` → 204.
    func replace(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await replaceIt(request, context)
        return .empty(.noContent)
    }

    /// `PUT /routines/{routineId}` → 200: for an older version of the app, which treats every other response as a
    /// failure (MOUP contract 5, 1).
    func put(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await replaceIt(request, context)
        return .empty(.ok)
    }

    private func replaceIt(_ request: Request, _ context: SignedInContext) async throws {
        let id = try context.pathID("routineId", as: RoutineID.self)
        let draft = try await request.json(RoutineRequest.self, context).draft()
        try await routines.replace(id, of: context.account, with: draft)
    }

    /// `DELETE /routines/{routineId}` → 204.
    func delete(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await routines.delete(context.pathID("routineId", as: RoutineID.self), of: context.account)
        return .empty(.noContent)
    }

    // MARK: Routines of a shift

    struct CompletionRequest: Decodable {
        var completed: Bool
    }

    /// `GET /routines/works/{workId}/routines` → 200; the owner of the workplace sees titles.
    func ofShift(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let entries = try await shifts.routines(of: context.pathID("workId", as: ShiftID.self), for: context.account)
        return try .json(ShiftRoutinesResponse(entries))
    }

    /// `PUT /routines/works/{workId}/tasks/{taskId}/completion` → 204.
    func complete(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let shift = try context.pathID("workId", as: ShiftID.self)
        let task = try context.pathID("taskId", as: RoutineTaskID.self)
        let isCompleted = try await request.json(CompletionRequest.self, context).completed
        try await shifts.complete(task, of: shift, isCompleted, by: context.account)
        return .empty(.noContent)
    }
}
