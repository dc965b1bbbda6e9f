import FoundationEssentials

/// A path of a passenger, and the journey on it once a train has been chosen.
struct Journey: Sendable, Equatable {
    var id: Int64
    var account: Int64
    var start: Int64
    var end: Int64
    var train: TrainCode?
    var status: Status
    var createdAt: Date
    /// Whether its day of service is not over.
    var isToday: Bool
    var nextCheck: Date
    var tracking: Tracking

    enum Status: String, Sendable {
        /// A path that was kept, without a train.
        case planned = "PLANNED"
        case active = "ACTIVE"
        case arrived = "ARRIVED"
        /// Another journey was started.
        case replaced = "REPLACED"
        /// Its day was over before it arrived.
        case expired = "EXPIRED"
    }

    var expectedArrival: Date { tracking.expectedArrival }

    var state: PathState {
        PathState(
            journey: id,
            expectedArrival: expectedArrival.microseconds,
            nextCheck: status == .active ? nextCheck.microseconds : nil,
            hasArrived: status != .active
        )
    }
}

extension Date {
    /// Microseconds since 1970.
    var microseconds: Int64 {
        Int64((timeIntervalSince1970 * 1_000_000).rounded())
    }
}
