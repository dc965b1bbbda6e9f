import Hummingbird
import ServiceKit

/// Withdrawal of a SeatCatcher account (contract 1.6, call 7).
struct SeatCatcherWithdrawalRoutes {
    let withdrawal: Withdrawal

    /// `DELETE /user/me` → 204; 401 for a withdrawn account.
    func withdraw(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let leaving = try await withdrawal.request(context.account, app: context.app, origin: Origin(request, context))
        return .empty(.noContent).ending(leaving.ended)
    }
}
