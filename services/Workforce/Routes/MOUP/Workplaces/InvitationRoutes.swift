import Apps
import Contracts
import HTTPTypes
import Hummingbird
import ServiceKit

/// Invite codes, and joining with them (MOUP contract 1.4, calls 17 to 19).
struct InvitationRoutes {
    let invitations: Invitations

    struct CodeRequest: Decodable {
        var forceGenerate: Bool?
    }

    struct CodeResponse: Encodable {
        var inviteCode: String
        var returnAlreadyExists: Bool
    }

    struct JoinRequest: Decodable {
        var inviteCode: String
        var workerBasedLabelColor: String
        var salaryCreateRequest: SalaryRequest
    }

    struct JoinResponse: Encodable {
        var workplaceId: WorkplaceID
        var workerId: WorkerID
    }

    /// `PUT /workplaces/{workplaceId}/invite-code` → 201; 200 with the existing code.
    func issue(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.pathID("workplaceId", as: WorkplaceID.self)
        let body = try await request.jsonIfAny(CodeRequest.self, context)
        let renewing = body?.forceGenerate ?? false
        let (code, isOld) = try await invitations.code(of: id, renewing: renewing, by: context.account)
        var response = try Response.json(
            CodeResponse(inviteCode: code.text, returnAlreadyExists: isOld),
            status: isOld ? .ok : .created
        )
        if !isOld { response.headers[.location] = request.location("/workplaces/invite-codes/\(code.text)") }
        return response
    }

    /// `GET /workplaces/invite-codes/{inviteCode}` → 200.
    func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard let code = context.parameters.get("inviteCode").flatMap(InviteCode.init) else {
            throw Problem(.badParameter, code: "VARIABLE_400", message: "inviteCode는 영문자와 숫자 6자여야 합니다.")
        }
        return try .json(InvitedWorkplace(try await invitations.workplace(with: code, for: context.account)))
    }

    /// `POST /workplaces/join` → 201.
    func join(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await request.json(JoinRequest.self, context)
        guard let code = InviteCode(body.inviteCode) else {
            throw Problem(.invalid, message: "inviteCode는 영문자와 숫자 6자여야 합니다.")
        }
        let (workplace, worker) = try await invitations.join(
            with: code,
            color: LabelColor.check(body.workerBasedLabelColor, "workerBasedLabelColor"),
            wage: body.salaryCreateRequest.draft(),
            by: context.account
        )
        var response = try Response.json(JoinResponse(workplaceId: workplace, workerId: worker), status: .created)
        response.headers[.location] = request.location("/workplaces/\(workplace)/workers/\(worker)")
        return response
    }
}
