import Contracts
import ServiceKit

/// Client of the seats service for passengers.
struct PassengerClient: Sendable {
    let seats: InternalClient

    /// The credit of a SeatCatcher user, in the app's own unit.
    ///
    /// - Throws: `InternalCallError`.
    func credit(of account: AccountID) async throws -> Int64 {
        try await seats.get(SeatsAPI.Passenger.path(account), as: SeatsAPI.Passenger.self).credit
    }
}
