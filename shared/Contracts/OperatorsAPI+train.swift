/// The seats service's API for operators. Only the console may call it.
extension OperatorsAPI {
    /// `GET /internal/operators/trains`: the cars in which passengers have seats now, the one with the most of them first.
    package struct Trains: Codable, Sendable, Equatable {
        package static let path = "/internal/operators/trains"
        /// The maximum number of cars.
        package static let limit = 100

        package var cars: [TakenCar]

        package init(cars: [TakenCar]) { self.cars = cars }
    }

    package struct TakenCar: Codable, Sendable, Equatable {
        /// The train's number.
        package var train: String
        /// The four digits on the car's door.
        package var car: String
        /// The line's number as the app shows it; nil for a car whose code begins with the digit of no line.
        package var line: String?
        /// Passengers with a seat.
        package var seated: Int
        /// Pending requests for these seats.
        package var requests: Int

        package init(train: String, car: String, line: String?, seated: Int, requests: Int) {
            (self.train, self.car, self.line) = (train, car, line)
            (self.seated, self.requests) = (seated, requests)
        }
    }

    /// `GET /internal/operators/cars?train=NUMBER&car=CODE`: a car with all its seats; 400 for codes of another form, 404
    /// for a car that has had no passengers, of a train that has not been sighted for 30 days.
    package struct Car: Codable, Sendable, Equatable {
        package static func path(train: String, car: String) -> String {
            "/internal/operators/cars?train=\(train)&car=\(car)"
        }

        package var train: String
        package var car: String
        package var line: String?
        /// Where the train ends today, and when it is expected there, in seconds since 1970; nil for a train that has not
        /// been sighted today.
        package var terminal: String?
        package var terminalAt: Double?
        /// In the order of the car, from one end to the other.
        package var seats: [Seat]

        package init(
            train: String,
            car: String,
            line: String?,
            terminal: String?,
            terminalAt: Double?,
            seats: [Seat]
        ) {
            (self.train, self.car, self.line) = (train, car, line)
            (self.terminal, self.terminalAt, self.seats) = (terminal, terminalAt, seats)
        }
    }

    package struct Seat: Codable, Sendable, Equatable {
        package var id: SeatID
        /// The section's name in the app, as `NORMAL_A_12`.
        package var section: String
        /// From 0. The first half of a section's seats is in one row, the second half opposite.
        package var location: Int
        /// `NORMAL`, `PRIORITY` or `PREGNANT`.
        package var type: String
        /// nil for a free seat.
        package var sitter: Sitter?

        package init(id: SeatID, section: String, location: Int, type: String, sitter: Sitter?) {
            (self.id, self.section, self.location) = (id, section, location)
            (self.type, self.sitter) = (type, sitter)
        }
    }

    /// A passenger with a seat, with what the app shows to others.
    package struct Sitter: Codable, Sendable, Equatable {
        /// The maximum number of requesters.
        package static let requesterLimit = 5

        package var account: AccountID
        package var nickname: String
        /// The station where the passenger gets off.
        package var destination: String
        /// Seconds since 1970.
        package var since: Double
        package var arrivesAt: Double
        /// The seat is about to be freed.
        package var isOverdue: Bool
        /// The passengers whose requests for the seat are pending.
        package var requesters: [AccountID]

        package init(
            account: AccountID,
            nickname: String,
            destination: String,
            since: Double,
            arrivesAt: Double,
            isOverdue: Bool,
            requesters: [AccountID]
        ) {
            (self.account, self.nickname, self.destination) = (account, nickname, destination)
            (self.since, self.arrivesAt) = (since, arrivesAt)
            (self.isOverdue, self.requesters) = (isOverdue, requesters)
        }
    }
}
