import Hummingbird
import ServiceHost

/// How an Anlaka user leaves. The app has no call for it, so this is ours, in the family of its paths.
struct AnlakaWithdrawalRoutes {
    let withdrawal: Withdrawal

    /// `DELETE /v1/users/me` → 200 without a body; 401 for who has left already.
    func withdraw(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await withdrawal.request(context.account, app: context.app, origin: Origin(request, context))
        return .empty(.ok)
    }
}
