/// A push message to be sent unless a socket has told the passenger already (SeatCatcher contract 4.12).
struct Alert: Sendable, Equatable {
    var account: Int64
    var kind: Kind
    /// What the kind's text is filled with, in order.
    var arguments: [String]

    enum Kind: String, Sendable {
        /// Requester's nickname, amount.
        case requestReceived = "SEAT_REQUEST_RECEIVED"
        /// Requester's nickname.
        case requestCancelled = "SEAT_REQUEST_CANCELED"
        /// Owner's nickname, where the owner would have got off.
        case requestAccepted = "SEAT_REQUEST_ACCEPTED"
        case requestRejected = "SEAT_REQUEST_REJECTED"
        case arrivalHandled = "ARRIVAL_HANDLED"
    }

    /// For the owner of the seat.
    static func about(_ request: YieldRequest) -> Alert {
        let name = request.requester.nickname
        return request.status == .pending
            ? Alert(account: request.owner.account, kind: .requestReceived, arguments: [name, String(request.amount)])
            : Alert(account: request.owner.account, kind: .requestCancelled, arguments: [name])
    }

    /// For the requester.
    static func answering(_ request: YieldRequest) -> Alert {
        let account = request.requester.account
        guard request.status == .accepted else {
            return Alert(account: account, kind: .requestRejected, arguments: [])
        }
        let arguments = [request.owner.nickname, request.ownersDestination ?? ""]
        return Alert(account: account, kind: .requestAccepted, arguments: arguments)
    }
}
