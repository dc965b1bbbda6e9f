import Contracts
import Hummingbird
import ServiceKit

/// Planning of the caller's own shifts, and deletion (MOUP contract 1.4, calls 29, 35, 36, 39 and 40).
struct ShiftRoutes {
    let shifts: Shifts

    /// `POST /workplaces/{workplaceId}/workers/me/works` → 201 `{workIdList}`.
    func add(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let workplace = try context.pathID("workplaceId", as: WorkplaceID.self)
        let body = try await request.json(OwnWorkBody.self, context)
        let ids = try await shifts.add(
            try body.work.plan(),
            routines: body.routines,
            at: workplace,
            by: context.account
        )
        return try .created(WorkIDs(workIdList: ids), first: ids.first, request)
    }

    /// `PATCH /works/{workId}` → 204. The recurrence in the body is ignored.
    func edit(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.pathID("workId", as: ShiftID.self)
        let body = try await request.json(OwnWorkBody.self, context)
        try await shifts.edit(id, to: try body.work.singlePlan(), routines: body.routines, by: context.account)
        return .empty(.noContent)
    }

    /// `PATCH /works/recurring/{workId}` → 200 `{workIdList}`.
    func editFollowing(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.pathID("workId", as: ShiftID.self)
        let body = try await request.json(OwnWorkBody.self, context)
        let ids = try await shifts.editFollowing(
            id,
            to: try body.work.plan(),
            routines: body.routines,
            by: context.account
        )
        return try .json(WorkIDs(workIdList: ids))
    }

    /// `DELETE /works/{workId}` → 204.
    func remove(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await shifts.remove(try context.pathID("workId", as: ShiftID.self), by: context.account)
        return .empty(.noContent)
    }

    /// `DELETE /works/recurring/{workId}` → 204.
    func removeFollowing(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await shifts.removeFollowing(try context.pathID("workId", as: ShiftID.self), by: context.account)
        return .empty(.noContent)
    }
}

/// Planning of shifts by the owner (MOUP contract 1.4, calls 30, 37 and 38).
struct OwnerShiftRoutes {
    let shifts: Shifts

    /// `POST /workplaces/{workplaceId}/works/batch` → 201, or 200 if it failed for some workers.
    func add(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let workplace = try context.pathID("workplaceId", as: WorkplaceID.self)
        let body = try await request.json(BatchWorkBody.self, context)
        let batch = try await shifts.add(
            try body.work.plan(),
            for: body.workers,
            at: workplace,
            by: context.account
        )
        let answer = BatchAnswer(batch)
        guard batch.failures.isEmpty else { return try .json(answer) }
        return try .created(answer, first: batch.shifts.first, request)
    }

    /// `PATCH /workplaces/{workplaceId}/workers/{workerId}/works/{workId}` → 204.
    func edit(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (workplace, worker) = (
            try context.pathID("workplaceId", as: WorkplaceID.self), try context.pathID("workerId", as: WorkerID.self)
        )
        let id = try context.pathID("workId", as: ShiftID.self)
        let plan = try await request.json(WorkBody.self, context).singlePlan()
        try await shifts.edit(id, of: worker, at: workplace, to: plan, by: context.account)
        return .empty(.noContent)
    }

    /// `PATCH /workplaces/{workplaceId}/workers/{workerId}/works/recurring/{workId}` → 200 `{workIdList}`.
    func editFollowing(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (workplace, worker) = (
            try context.pathID("workplaceId", as: WorkplaceID.self), try context.pathID("workerId", as: WorkerID.self)
        )
        let id = try context.pathID("workId", as: ShiftID.self)
        let plan = try await request.json(WorkBody.self, context).plan()
        let ids = try await shifts.editFollowing(id, of: worker, at: workplace, to: plan, by: context.account)
        return try .json(WorkIDs(workIdList: ids))
    }
}

extension Response {
    /// A response for new shifts, with the URL of the first one.
    static func created(_ value: some Encodable, first: ShiftID?, _ request: Request) throws -> Response {
        var response = try json(value, status: .created)
        response.headers[.location] = first.map { request.location("/works/\($0)") }
        return response
    }
}
