import FoundationEssentials

/// A passenger on a seat.
struct Occupancy: Sendable, Equatable {
    var seat: Int64
    var car: Int64
    var account: Int64
    var journey: Int64?
    var since: Date
    /// What was paid for it.
    var reward: Int64
    /// Whether it still counts; one that does not is about to be swept.
    var isLive: Bool
}

/// How long a seat is held, and where its occupant gets off.
struct Lease: Sendable, Equatable {
    /// The journey with which it ends; nil when it ends at `arrivesAt` by itself.
    var journey: Int64?
    var destination: String
    var arrivesAt: Date
}
