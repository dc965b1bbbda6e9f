import Hummingbird
import ServiceKit

/// Withdrawal of an Anlaka account. The app has no call for it; the path follows the app's other paths.
struct AnlakaWithdrawalRoutes {
    let withdrawal: Withdrawal

    /// `DELETE /v1/users/me` → 200 without a body; 401 for a withdrawn account.
    func withdraw(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let leaving = try await withdrawal.request(context.account, app: context.app, origin: Origin(request, context))
        return .empty(.ok).ending(leaving.ended)
    }
}
