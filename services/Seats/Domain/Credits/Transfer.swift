/// A transfer of credit between a passenger and either the house account or the escrow of a yield request.
enum Transfer: Sendable, Equatable {
    /// Reward for registering one's seat.
    case reward
    /// The reward taken back after an early release.
    case clawBack
    /// The price of seat maps.
    case unlock
    /// The amount offered for a seat, held in escrow.
    case escrow(request: YieldRequestID)
    /// The escrow returned to the requester.
    case refund(request: YieldRequestID)
    /// The escrow paid to the owner who yielded the seat.
    case yield(request: YieldRequestID)
    /// The remaining credit of a withdrawn account.
    case forfeit

    /// The name of the house account in the ledger.
    static let house = "house"

    /// The kind in the ledger.
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

    /// Whether the passenger receives the credit.
    var isToPassenger: Bool {
        switch self {
        case .reward, .refund, .yield: true
        case .clawBack, .unlock, .escrow, .forfeit: false
        }
    }

    /// The other account of the transfer, by its name in the ledger.
    var counterpart: String {
        switch self {
        case .reward, .clawBack, .unlock, .forfeit: Self.house
        case .escrow(let request), .refund(let request), .yield(let request): "escrow/\(request)"
        }
    }
}
