import Apps
import Contracts
import Hummingbird
import ServiceKit

/// Purchases with credit (SeatCatcher contract 1.6, call 25).
struct CreditRoutes {
    let credits: Credits

    struct ChangeRequest: Decodable {
        var amount: Int64
        var targetUserId: AccountID
    }

    /// `PATCH /credit?isAddition=` → 200. Only the caller's credit can be spent, and only for the price of seat
    /// information; 403 for adding credit or for another user's credit.
    func change(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let isAddition = try request.requiredFlag("isAddition")
        let body = try await request.json(ChangeRequest.self, context)
        guard body.amount >= 1 else { throw Problem(.invalid, message: "amount must be 1 or more.") }
        guard !isAddition else { throw SeatsError.creditForbidden }
        try await credits.unlock(amount: body.amount, target: body.targetUserId, account: context.account)
        return .empty(.ok)
    }
}
