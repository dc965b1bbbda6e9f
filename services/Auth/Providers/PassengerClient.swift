import Contracts
import InternalClient

/// What the seats service knows of a SeatCatcher user.
struct PassengerClient: Sendable {
    let seats: InternalClient

    /// The user's credit, in SeatCatcher's own unit.
    ///
    /// - Throws: `InternalCallError`.
    func credit(of account: Int64) async throws -> Int64 {
        try await seats.get(SeatsAPI.Passenger.path(account), as: SeatsAPI.Passenger.self).credit
    }
}
