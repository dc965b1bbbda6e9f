import Contracts
import Values

/// The occupants of one car at one time.
struct SeatMap: Sendable, Equatable {
    var car: CarAddress
    /// Sorted by id.
    var seats: [Seat]
    /// Id of the last message on the car's topic that this map includes.
    var through: LiveMessageID
    /// The service day of the occupants; nil for a car that is not stored.
    var day: CivilDate?

    /// Two maps of a car with the same version are equal: each change writes a message to the car's topic, except for the end
    /// of the service day.
    struct Version: Sendable, Equatable {
        var through: LiveMessageID
        var day: CivilDate
    }

    /// nil without a message, since messages are deleted.
    var version: Version? {
        guard let day, through != .zero else { return nil }
        return Version(through: through, day: day)
    }
}

extension SeatMap {
    /// A car that is not stored: it has had no occupants.
    init(empty car: CarAddress) {
        self.init(car: car, seats: CarLayout(carCode: car.code).seats(of: car), through: .zero)
    }
}

struct Seat: Sendable, Equatable {
    var id: SeatID
    var section: String
    var location: Int
    var type: String
    var occupant: Occupant?
}

/// The occupant of a seat, with the fields visible to others.
struct Occupant: Sendable, Equatable, Codable {
    var account: AccountID
    var nickname: String
    var image: String
    var tags: [String]
    /// Microseconds since 1970, the database's precision.
    var arrivesAt: Int64
    /// The name of the occupant's destination.
    var destination: String
}

/// A seat with a changed occupant, or with changed details of its occupant.
struct SeatChange: Sendable, Equatable, Codable {
    var seat: SeatID
    var occupant: Occupant?
}
