/// A movement of a passenger's credit. Each has one passenger on one side, and on the other the house or the escrow of a
/// request.
enum Transfer: Sendable, Equatable {
    /// For telling where one sits.
    case reward
    /// The reward, taken back from who left at once.
    case clawBack
    /// The price of seeing who sits where.
    case unlock
    /// What is offered for a seat, set aside.
    case escrow(request: Int64)
    /// What was set aside, given back.
    case refund(request: Int64)
    /// What was set aside, paid to who gave the seat up.
    case yield(request: Int64)
    /// What a passenger leaves behind who leaves for good.
    case forfeit

    /// The name in the ledger.
    var kind: String {
        switch self {
        case .reward: "REWARD"
        case .clawBack: "CLAW_BACK"
        case .unlock: "UNLOCK"
        case .escrow: "ESCROW"
        case .refund: "REFUND"
        case .yield: "YIELD"
        case .forfeit: "FORFEIT"
        }
    }

    /// Whether the passenger gets it.
    var isToPassenger: Bool {
        switch self {
        case .reward, .refund, .yield: true
        case .clawBack, .unlock, .escrow, .forfeit: false
        }
    }

    /// Who is on the other side, as the ledger names holders.
    var counterpart: String {
        switch self {
        case .reward, .clawBack, .unlock, .forfeit: "house"
        case .escrow(let request), .refund(let request), .yield(let request): "escrow/\(request)"
        }
    }
}
