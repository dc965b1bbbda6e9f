import FoundationEssentials

/// A wish to get somebody's seat, with what is offered for it.
struct YieldRequest: Sendable, Equatable {
    var id: Int64
    var seat: Int64
    var car: Int64
    var owner: Face
    var requester: Face
    var amount: Int64
    var status: Status
    /// Whether its time is over, though nobody has ended it yet.
    var isOverdue: Bool
    /// Where the owner gets off, while the owner still has the seat.
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

    var notice: OwnerNotice {
        OwnerNotice(seat: seat, requester: requester, amount: status == .pending ? amount : nil)
    }
}
