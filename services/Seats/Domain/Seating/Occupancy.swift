import Contracts
import FoundationEssentials

/// A passenger's occupancy of a seat.
struct Occupancy: Sendable, Equatable {
    var seat: SeatID
    var car: CarID
    var account: AccountID
    var journey: JourneyID?
    var since: Date
    /// The reward paid for it.
    var reward: Int64
    /// Whether the lease has not expired; expired occupancies are deleted by a background job.
    var isLive: Bool
}

/// The duration of an occupancy, and the destination of its occupant.
struct Lease: Sendable, Equatable {
    /// The journey that ends the lease; nil when it ends at `arrivesAt`.
    var journey: JourneyID?
    var destination: String
    var arrivesAt: Date
}
