import Contracts
import Hummingbird
import ServiceKit

/// Anlaka's sign-out (contract 2.1, call 13).
struct AnlakaSignOutRoutes {
    let sessions: Sessions

    /// `POST /v1/users/logout` → 200 without a body; ends the session and its refresh token.
    func signOut(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await sessions.revoke(
            context.session,
            of: context.account,
            app: context.app,
            current: context.session,
            origin: Origin(request, context)
        )
        return .empty(.ok).ending([sessions.revocation(of: context.session, in: context.app)])
    }
}
