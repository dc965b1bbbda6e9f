import Apps
import Contracts
import Hummingbird
import ServiceKit

/// Internal lookup of passengers.
struct PassengerRoutes {
    let passengers: Passengers

    /// `GET /internal/passengers/{account}` → 200.
    func show(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        guard let account: AccountID = context.id("account") else {
            throw Problem(.badParameter, message: "account must be a whole number above 0.")
        }
        return try .json(SeatsAPI.Passenger(credit: try await passengers.credit(of: account)))
    }
}
