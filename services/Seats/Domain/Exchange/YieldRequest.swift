import Contracts
import FoundationEssentials

/// The passenger who has the seat of a request. A type of its own, so that it cannot be mistaken for the requester.
struct SeatOwner: Sendable {
    let account: AccountID

    init(_ account: AccountID) { self.account = account }
}

/// The passenger who requests the seat of another.
struct SeatRequester: Sendable {
    let account: AccountID

    init(_ account: AccountID) { self.account = account }
}

/// A request for another passenger's seat, with the offered credit.
struct YieldRequest: Sendable, Equatable {
    var id: YieldRequestID
    var seat: SeatID
    var car: CarID
    var owner: ProfileSummary
    var requester: ProfileSummary
    var amount: Int64
    var status: Status
    /// Whether the request has expired but is not ended yet.
    var isOverdue: Bool
    /// The owner's destination, while the owner has the seat.
    var ownersDestination: String?

    enum Status: String, Sendable {
        case pending = "PENDING"
        case accepted = "ACCEPTED"
        case rejected = "REJECTED"
        case cancelled = "CANCELLED"
        case expired = "EXPIRED"
    }

    var reply: YieldReply {
        YieldReply(seat: seat, owner: owner, requester: requester.account, isAccepted: status == .accepted)
    }

    var notice: OwnerMessage {
        OwnerMessage(seat: seat, requester: requester, amount: status == .pending ? amount : nil)
    }
}
