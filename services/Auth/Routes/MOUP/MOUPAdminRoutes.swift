import Hummingbird
import ServiceHost

/// What MOUP's admins do with accounts (contract 1.4, calls 62 and 63). Others get 403 with an empty body.
struct MOUPAdminRoutes {
    let members: Members
    let withdrawal: Withdrawal

    /// `DELETE /admin/users` → 204; deletes the accounts whose time to come back is over.
    func deleteDue(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard try await isAdmin(context) else { return .empty(.forbidden) }
        try await withdrawal.completeDue()
        return .empty(.noContent)
    }

    /// `DELETE /admin/users/immediate` → 204; deletes every account whose owner has asked for it.
    func deleteAll(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard try await isAdmin(context) else { return .empty(.forbidden) }
        try await withdrawal.completeAll(app: context.app, origin: Origin(request, context))
        return .empty(.noContent)
    }

    private func isAdmin(_ context: SignedInContext) async throws -> Bool {
        try await members.isAdmin(context.account)
    }
}
