import Contracts
import Hummingbird
import ServiceKit

/// The workers of a workplace (MOUP contract 1.4, calls 20 and 23 to 28).
struct StaffRoutes {
    let staff: Staff

    struct ListResponse: Encodable {
        var workerSummaryInfoList: [WorkerSummary]
    }

    struct OwnRequest: Decodable {
        var workerBasedLabelColor: String
        var salaryUpdateRequest: SalaryRequest
    }

    struct WorkerRequest: Decodable {
        var ownerBasedLabelColor: String
        var salaryUpdateRequest: SalaryRequest
    }

    /// `GET /workplaces/{workplaceId}/workers?isActiveOnly=` → 200.
    func list(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.pathID("workplaceId", as: WorkplaceID.self)
        let activeOnly = try request.boolQuery("isActiveOnly") ?? false
        let workers = try await staff.list(at: id, activeOnly: activeOnly, by: context.account)
        return try .json(ListResponse(workerSummaryInfoList: workers.map(WorkerSummary.init)))
    }

    /// `PATCH /workplaces/{workplaceId}/workers/{workerId}/accept` → 204.
    func accept(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (workplace, worker) = try (
            context.pathID("workplaceId", as: WorkplaceID.self), context.pathID("workerId", as: WorkerID.self)
        )
        try await staff.accept(worker, at: workplace, by: context.account)
        return .empty(.noContent)
    }

    /// `DELETE /workplaces/{workplaceId}/workers/{workerId}/accept` → 204.
    func reject(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (workplace, worker) = try (
            context.pathID("workplaceId", as: WorkplaceID.self), context.pathID("workerId", as: WorkerID.self)
        )
        try await staff.reject(worker, at: workplace, by: context.account)
        return .empty(.noContent)
    }

    /// `PATCH /workplaces/{workplaceId}/workers/me` → 204.
    func changeOwn(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.pathID("workplaceId", as: WorkplaceID.self)
        let body = try await request.json(OwnRequest.self, context)
        try await staff.changeOwn(
            at: id,
            color: LabelColor.check(body.workerBasedLabelColor, "workerBasedLabelColor"),
            wage: body.salaryUpdateRequest.draft(),
            by: context.account
        )
        return .empty(.noContent)
    }

    /// `PATCH /workplaces/{workplaceId}/workers/{workerId}` → 204.
    func change(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (workplace, worker) = try (
            context.pathID("workplaceId", as: WorkplaceID.self), context.pathID("workerId", as: WorkerID.self)
        )
        let body = try await request.json(WorkerRequest.self, context)
        try await staff.change(
            worker,
            at: workplace,
            color: LabelColor.check(body.ownerBasedLabelColor, "ownerBasedLabelColor"),
            wage: body.salaryUpdateRequest.draft(),
            by: context.account
        )
        return .empty(.noContent)
    }

    /// `DELETE /workplaces/{workplaceId}/workers/me` → 204.
    func leave(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await staff.leave(context.pathID("workplaceId", as: WorkplaceID.self), by: context.account)
        return .empty(.noContent)
    }

    /// `DELETE /workplaces/{workplaceId}/workers/{workerId}` → 204.
    func remove(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (workplace, worker) = try (
            context.pathID("workplaceId", as: WorkplaceID.self), context.pathID("workerId", as: WorkerID.self)
        )
        try await staff.remove(worker, at: workplace, by: context.account)
        return .empty(.noContent)
    }
}
