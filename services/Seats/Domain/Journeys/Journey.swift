import Contracts
import FoundationEssentials
import Subway

/// A saved path of a passenger, and the journey on it once a train is chosen.
struct Journey: Sendable, Equatable {
    var id: JourneyID
    var account: AccountID
    var start: StationID
    var end: StationID
    var train: TrainCode?
    var status: Status
    var createdAt: Date
    /// Whether the journey belongs to the current service day.
    var isToday: Bool
    var nextCheck: Date
    var tracking: Tracking

    enum Status: String, Sendable {
        /// A saved path without a train.
        case planned = "PLANNED"
        case active = "ACTIVE"
        case arrived = "ARRIVED"
        /// The passenger started another journey.
        case replaced = "REPLACED"
        /// The service day ended before the arrival.
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
