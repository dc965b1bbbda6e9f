package import FoundationEssentials

/// The events of the seats service.
package enum SeatsEvents {
    /// The service has erased the data of a withdrawn account (`AuthEvents.AccountWithdrawn`). Published for each
    /// withdrawal event received, even if there was no data.
    package struct AccountErased: Event, Equatable {
        package static let name = "seats.account-erased"

        package var account: AccountID

        package var key: String { String(account) }

        package init(account: AccountID) {
            self.account = account
        }
    }

    /// A notification for a passenger. The notifications service stores it in the passenger's list and pushes it to
    /// their devices unless a live socket has shown it.
    package struct PassengerAlerted: Event, Equatable {
        package static let name = "seats.passenger-alerted"

        /// The recipient.
        package var account: AccountID
        package var kind: AlertKind
        /// The arguments of the kind's texts, in the order given by `AlertKind`.
        package var arguments: [String]
        /// JSON text for the app: the live message of the same event; nil for kinds without one.
        package var payload: String?
        /// Whether a live socket has shown the event, so that no push is needed.
        package var seen: Bool
        /// The id of the notification. It is the same if the same event is published again; one notification is shown
        /// per id.
        package var id: UUID

        package var key: String { String(account) }

        package init(account: AccountID, kind: AlertKind, arguments: [String], payload: String?, seen: Bool, id: UUID) {
            self.account = account
            self.kind = kind
            self.arguments = arguments
            self.payload = payload
            self.seen = seen
            self.id = id
        }
    }

    /// The kinds of passenger notifications: SeatCatcher's push kinds on the wire (SeatCatcher contract 3.3), each with
    /// its text arguments (4.12).
    package enum AlertKind: String, Codable, Sendable, CaseIterable {
        /// A greeting. No arguments.
        case hello = "HELLO"
        /// The passenger's usual travel time is near. No arguments.
        case mostUsedTime = "MOST_USED_TIME_ALERT"
        /// The traveller has arrived, and their seat is free. No arguments.
        case arrivalHandled = "ARRIVAL_HANDLED"
        /// To the occupant: the requester's nickname, the amount of credit. With a payload.
        case seatRequestReceived = "SEAT_REQUEST_RECEIVED"
        /// To the requester: the occupant's nickname, the station where the occupant gets off. With a payload.
        case seatRequestAccepted = "SEAT_REQUEST_ACCEPTED"
        /// To the requester. No arguments. With a payload.
        case seatRequestRejected = "SEAT_REQUEST_REJECTED"
        /// To the requester, when the occupant arrives. No arguments. The raw value has the spelling of the wire.
        case seatRequestAcceptedArrival = "SEAT_REQUEST_ACCEPTED_ARRIVA"
        /// To the former occupant: the amount of credit, the new occupant's nickname, the amount again.
        case seatExchangeSuccess = "SEAT_EXCHANGE_SUCCESS"
        /// To the occupant: the requester's nickname. With a payload.
        case seatRequestCanceled = "SEAT_REQUEST_CANCELED"
    }
}
