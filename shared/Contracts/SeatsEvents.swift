package import FoundationEssentials

/// What the seats service announces.
package enum SeatsEvents {
    /// The service has let go of whatever was an account's, after its owner left (`AuthEvents.AccountWithdrawn`). Said
    /// each time that it is told, also when there was nothing.
    package struct AccountErased: Event, Equatable {
        package static let name = "seats.account-erased"

        package var account: Int64

        package var key: String { String(account) }

        package init(account: Int64) {
            self.account = account
        }
    }

    /// Something happened that a passenger should hear of. Notifications keeps it in the passenger's list, and pushes it to
    /// their devices unless they have seen it.
    package struct PassengerAlerted: Event, Equatable {
        package static let name = "seats.passenger-alerted"

        /// Who is to hear of it.
        package var account: Int64
        package var kind: AlertKind
        /// What the kind's texts are filled with, in the order that `AlertKind` gives.
        package var arguments: [String]
        /// JSON text for the app: the live message that says the same; nil for kinds without one.
        package var payload: String?
        /// Whether a live socket has shown it, so that no push is needed.
        package var seen: Bool
        /// The same whenever the same happening is announced again: one alert per id.
        package var id: UUID

        package var key: String { String(account) }

        package init(account: Int64, kind: AlertKind, arguments: [String], payload: String?, seen: Bool, id: UUID) {
            self.account = account
            self.kind = kind
            self.arguments = arguments
            self.payload = payload
            self.seen = seen
            self.id = id
        }
    }

    /// What a passenger is alerted of: SeatCatcher's push kinds as they stand on the wire (SeatCatcher contract 3.3), each
    /// with its text arguments (4.12).
    package enum AlertKind: String, Codable, Sendable, CaseIterable {
        /// A greeting. No arguments.
        case hello = "HELLO"
        /// The time at which the passenger usually rides is near. No arguments.
        case mostUsedTime = "MOST_USED_TIME_ALERT"
        /// The traveller has arrived, and their seat is free. No arguments.
        case arrivalHandled = "ARRIVAL_HANDLED"
        /// To the occupant: the requester's nickname, the amount of credit. With a payload.
        case seatRequestReceived = "SEAT_REQUEST_RECEIVED"
        /// To the requester: the occupant's nickname, the station where the occupant gets off. With a payload.
        case seatRequestAccepted = "SEAT_REQUEST_ACCEPTED"
        /// To the requester. No arguments. With a payload.
        case seatRequestRejected = "SEAT_REQUEST_REJECTED"
        /// To the requester, when the occupant arrives. No arguments. The wire's spelling.
        case seatRequestAcceptedArrival = "SEAT_REQUEST_ACCEPTED_ARRIVA"
        /// To the former occupant: the amount of credit, the new occupant's nickname, the amount again.
        case seatExchangeSuccess = "SEAT_EXCHANGE_SUCCESS"
        /// To the occupant: the requester's nickname. With a payload.
        case seatRequestCanceled = "SEAT_REQUEST_CANCELED"
    }
}
