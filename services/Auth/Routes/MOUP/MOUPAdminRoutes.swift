import Hummingbird
import ServiceKit

/// MOUP's admin calls for accounts (contract 1.4, calls 62 and 63). Other users get 403 with an empty body.
struct MOUPAdminRoutes {
    let members: MOUPMembers
    let withdrawal: Withdrawal

    /// `DELETE /admin/users` → 204; deletes the accounts whose grace period is over.
    func deleteDue(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard try await isAdmin(context) else { return .empty(.forbidden) }
        try await withdrawal.completeDue()
        return .empty(.noContent)
    }

    /// `DELETE /admin/users/immediate` → 204; deletes every account with a pending withdrawal.
    func deleteAll(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard try await isAdmin(context) else { return .empty(.forbidden) }
        try await withdrawal.completeAll(app: context.app, origin: Origin(request, context))
        return .empty(.noContent)
    }

    private func isAdmin(_ context: SignedInContext) async throws -> Bool {
        try await members.isAdmin(context.account)
    }
}
