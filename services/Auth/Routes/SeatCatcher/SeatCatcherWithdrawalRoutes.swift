import Hummingbird
import ServiceHost

/// How a SeatCatcher user leaves (contract 1.6, call 7).
struct SeatCatcherWithdrawalRoutes {
    let withdrawal: Withdrawal

    /// `DELETE /user/me` → 204; 401 for who has left already.
    func withdraw(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await withdrawal.request(context.account, app: context.app, origin: Origin(request, context))
        return .empty(.noContent)
    }
}
