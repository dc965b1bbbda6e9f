import Apps
import ServiceKit

/// The errors of SeatCatcher contract 1.2, with the statuses that it recommends.
extension SeatsError: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .trainCodeInvalid:
            Problem(
                .invalid,
                code: "INVALID_PARAMETER",
                message: "trainCode must be 1 to \(TrainCode.longest) letters, digits or hyphens."
            )
        case .carCodeInvalid:
            Problem(.invalid, code: "INVALID_PARAMETER", message: "carCode must be four digits.")
        case .trainNotFound:
            Problem(
                .notFound,
                code: "TRAIN_NOT_FOUND",
                title: "TrainSeatGroup Not Found",
                message: "No arrivals have announced this train lately."
            )
        case .seatNotFound:
            Problem(.notFound, code: "SEAT_NOT_FOUND", title: "Seat not found", message: "There is no such seat.")
        case .seatEmpty:
            Problem(
                .notFound,
                code: "ENTITY_NOT_FOUND",
                title: "Entity Not Found",
                message: "This seat is not occupied."
            )
        case .seatTaken:
            Problem(
                .conflict,
                code: "SEAT_ALREADY_RESERVED",
                title: "Seat already reserved",
                message: "This seat is occupied."
            )
        case .alreadySeated:
            Problem(
                .conflict,
                code: "USER_ALREADY_RESERVED",
                title: "User already reserved",
                message: "You have a seat already."
            )
        case .notSeated:
            Problem(.conflict, code: "USER_NOT_RESERVED", title: "User not reserved", message: "You have no seat.")
        case .ownSeat:
            Problem(
                .conflict,
                code: "USER_ALREADY_RESERVED",
                title: "User already reserved",
                message: "This is your own seat."
            )
        case .notOccupant:
            Problem(.forbidden, code: "NOT_OCCUPANT", message: "Only the occupant of the seat may do that.")
        case .requestNotFound:
            Problem(
                .notFound,
                code: "YIELD_REQUEST_NOT_FOUND",
                title: "Entity Not Found",
                message: "No passenger with this id has requested the seat."
            )
        case .requestDecided:
            Problem(
                .conflict,
                code: "YIELD_ACCEPT_FAILED",
                title: "Yield already decided",
                message: "This request has been decided otherwise."
            )
        case .insufficientCredit:
            Problem(
                .invalid,
                code: "INSUFFICIENT_CREDIT",
                title: "Insufficient Credit",
                message: "You have not that much credit."
            )
        case .amountNegative:
            Problem(.badParameter, code: "INVALID_PARAMETER", message: "creditAmount must be 0 or more.")
        case .passengerNotFound:
            Problem(.notFound, code: "USER_NOT_FOUND", title: "User Not Found", message: "There is no such user.")
        case .creditForbidden:
            Problem(.forbidden, code: "INVALID_CREDIT_MODIFICATION", message: "You may only spend credit of your own.")
        case .priceUnknown:
            Problem(
                .invalid,
                code: "INVALID_CREDIT_MODIFICATION",
                message: "amount is not the price of seat information."
            )
        case .stationNotFound:
            Problem(
                .notFound,
                code: "SUBWAY_STATION_NOT_FOUND",
                title: "Subway Station Not Found",
                message: "There is no such station."
            )
        case .lineMismatch:
            Problem(.invalid, code: "SUBWAY_LINE_MISMATCH", message: "Both stations must be on one line.")
        case .sameStation:
            Problem(.invalid, code: "INVALID_PARAMETER", message: "The stations must be two.")
        case .pathNotFound:
            Problem(
                .notFound,
                code: "PATH_HISTORY_NOT_FOUND",
                title: "Path History Not Found",
                message: "There is no such path."
            )
        case .pathForbidden:
            Problem(.forbidden, code: "PATH_HISTORY_FORBIDDEN", message: "This path is not yours.")
        }
    }
}

extension ArrivalsUnavailable: ProblemConvertible {
    var problem: Problem {
        Problem(.unavailable, message: "The arrivals service of Seoul does not answer; try again.", retryAfter: 5)
    }
}
