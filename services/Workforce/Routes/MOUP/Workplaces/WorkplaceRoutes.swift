import Contracts
import HTTPTypes
import Hummingbird
import ServiceKit

/// Workplaces (MOUP contract 1.4, calls 12 to 16).
struct WorkplaceRoutes {
    let workplaces: Workplaces

    struct CreatedResponse: Encodable {
        var workplaceId: WorkplaceID
    }

    struct ListResponse: Encodable {
        var workplaceSummaryInfoList: [WorkplaceSummary]
    }

    /// `POST /workplaces` → 201.
    func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (draft, own) = try await request.json(WorkplaceCreateRequest.self, context).parsed()
        let id = try await workplaces.create(draft, own: own, by: context.account)
        var response = try Response.json(CreatedResponse(workplaceId: id), status: .created)
        response.headers[.location] = request.location("/workplaces/\(id)")
        return response
    }

    /// `GET /workplaces?isSharedOnly=` → 200.
    func list(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let sharedOnly = try request.boolQuery("isSharedOnly") ?? false
        let list = try await workplaces.list(of: context.account, sharedOnly: sharedOnly)
        return try .json(
            ListResponse(
                workplaceSummaryInfoList: list.map { WorkplaceSummary($0.workplace, isAccepted: $0.isAccepted) }
            )
        )
    }

    /// `GET /workplaces/{workplaceId}?view=` → 200.
    func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.pathID("workplaceId", as: WorkplaceID.self)
        let isSummary = try request.wantsSummary()
        let place = try await workplaces.place(id, of: context.account)
        if isSummary { return try .json(WorkplaceSummary(place.workplace, isAccepted: place.worker.isAccepted)) }
        let isOwner = place.worker.person.role == .owner
        let wage = isOwner ? nil : try await workplaces.wage(of: place.worker)
        return try .json(WorkplaceDetail(place, wage: wage))
    }

    /// `PATCH /workplaces/{workplaceId}` → 204.
    func edit(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.pathID("workplaceId", as: WorkplaceID.self)
        let (draft, own) = try await request.json(WorkplaceUpdateRequest.self, context).parsed()
        try await workplaces.edit(id, to: draft, own: own, by: context.account)
        return .empty(.noContent)
    }

    /// `DELETE /workplaces/{workplaceId}` → 204.
    func delete(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await workplaces.delete(context.pathID("workplaceId", as: WorkplaceID.self), by: context.account)
        return .empty(.noContent)
    }
}
