import Contracts

/// A push notification that is sent unless a socket has delivered the same message (SeatCatcher contract 4.12).
struct Alert: Sendable, Equatable {
    var account: AccountID
    var kind: SeatsEvents.AlertKind
    /// The arguments of the kind's text, in order.
    var arguments: [String]

    /// The alert for the owner of the seat.
    static func about(_ request: YieldRequest) -> Alert {
        let name = request.requester.nickname
        return request.status == .pending
            ? Alert(
                account: request.owner.account,
                kind: .seatRequestReceived,
                arguments: [name, String(request.amount)]
            )
            : Alert(account: request.owner.account, kind: .seatRequestCanceled, arguments: [name])
    }

    /// The alert for the requester.
    static func answering(_ request: YieldRequest) -> Alert {
        let account = request.requester.account
        guard request.status == .accepted else {
            return Alert(account: account, kind: .seatRequestRejected, arguments: [])
        }
        let arguments = [request.owner.nickname, request.ownersDestination ?? ""]
        return Alert(account: account, kind: .seatRequestAccepted, arguments: arguments)
    }
}
