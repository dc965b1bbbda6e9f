/// Who sits where in one car, at one moment.
struct SeatMap: Sendable, Equatable {
    var car: CarAddress
    /// By id.
    var seats: [Seat]
    /// The last message on the car's topic whose effect is in here.
    var through: Int64
}

struct Seat: Sendable, Equatable {
    var id: Int64
    var section: String
    var location: Int
    var type: String
    var occupant: Occupant?
}

/// Who sits on a seat, as far as others see it.
struct Occupant: Sendable, Equatable, Codable {
    var account: Int64
    var nickname: String
    var image: String
    var tags: [String]
    /// Microseconds since 1970, as exact as the database has it.
    var arrivesAt: Int64
    /// Where they get off.
    var destination: String
}

/// A seat whose occupant has changed, or whose occupant's details have.
struct SeatChange: Sendable, Equatable, Codable {
    var seat: Int64
    var occupant: Occupant?
}
