import Apps
import Contracts
import Hummingbird
import ServiceKit

/// Occupying, releasing and exchanging seats (SeatCatcher contract 1.6, calls 11 to 14).
///
/// `creditAmount` is read only with `type=REQUEST`; the client sends it with the other calls too, where it is ignored.
struct SeatRoutes {
    let seating: Seating
    let exchange: SeatExchange

    /// `POST /user/seats?seatId=&creditAmount=` → 201; 404 for an unknown seat or train, 409 when it is occupied or the
    /// caller has one.
    func occupy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await seating.occupy(seat: try request.requiredID("seatId"), account: context.account)
        return .empty(.created)
    }

    /// `PATCH /user/seats?seatId=&creditAmount=` → 200 once the owner has accepted; 403, 404 or 409 otherwise.
    func confirm(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await exchange.confirm(seat: try request.requiredID("seatId"), requester: context.account)
        return .empty(.ok)
    }

    /// `DELETE /user/seats` → 204; 409 without a seat.
    func release(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await seating.release(account: context.account)
        return .empty(.noContent)
    }

    /// `POST /user/seats/{seatId}/yield?type=&oppositeUserId=&creditAmount=` → 200.
    func yield(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard let seat: SeatID = context.id("seatId") else {
            throw Problem(.badParameter, message: "seatId must be a whole number above 0.")
        }
        let account = context.account
        switch request.query("type") {
        case "REQUEST":
            guard let amount = try request.intQuery("creditAmount") else {
                throw Problem(.badParameter, message: "creditAmount is required.")
            }
            try await exchange.request(seat: seat, requester: account, amount: amount)
        case "CANCEL":
            try await exchange.cancel(seat: seat, requester: account)
        case "ACCEPT":
            let opposite: AccountID = try request.requiredID("oppositeUserId")
            try await exchange.accept(seat: seat, owner: SeatOwner(account), requester: SeatRequester(opposite))
        case "REJECT":
            let opposite: AccountID = try request.requiredID("oppositeUserId")
            try await exchange.reject(seat: seat, owner: SeatOwner(account), requester: SeatRequester(opposite))
        default:
            throw Problem(.badParameter, message: "type must be REQUEST, CANCEL, ACCEPT or REJECT.")
        }
        return .empty(.ok)
    }
}

extension Request {
    /// An id in the query.
    ///
    /// - Throws: `Problem` (`badParameter`) when it is missing, or not a whole number above 0.
    func requiredID<ID: Identifier>(_ name: String) throws -> ID {
        guard let id = try intQuery(name), id > 0 else {
            throw Problem(.badParameter, message: "\(name) must be a whole number above 0.")
        }
        return ID(rawValue: id)
    }

    /// A flag in the query, in the spellings of the client and its documentation (SeatCatcher contract 1.1).
    ///
    /// - Throws: `Problem` (`badParameter`) when it is missing or has another spelling.
    func requiredFlag(_ name: String) throws -> Bool {
        switch query(name)?.lowercased() {
        case "true", "1", "on", "yes": true
        case "false", "0", "off", "no": false
        default: throw Problem(.badParameter, message: "\(name) must be true or false.")
        }
    }
}
