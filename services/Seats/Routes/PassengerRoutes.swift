import AppWire
import Contracts
import Hummingbird
import ServiceHost

/// What other services may know of a passenger.
struct PassengerRoutes {
    let passengers: Passengers

    /// `GET /internal/passengers/{account}` → 200.
    func show(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        guard let account = context.id("account") else {
            throw Problem(.badParameter, message: "account must be a whole number above 0.")
        }
        return try .json(SeatsAPI.Passenger(credit: try await passengers.credit(of: account)))
    }
}
