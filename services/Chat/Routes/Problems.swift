import Apps
import ServiceKit

extension ChatError: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .roomNotFound: Problem(.notFound, code: "CHAT_ROOM_001", message: "There is no such room.")
        case .notAMember: Problem(.notOwner, message: "This is others'.")
        case .messageNotFound: Problem(.notFound, message: "There is no such message.")
        case .notYours: Problem(.notOwner, message: "This message belongs to another user.")
        case .personNotFound: Problem(.notFound, message: "There is no such user.")
        case .blocked: Problem(.forbidden, message: "One of the two has blocked the other.")
        case .rule(let what): Problem(.malformed, message: what)
        }
    }
}

extension RoomLocked: ProblemConvertible {
    var problem: Problem {
        Problem(.unavailable, message: "The room is busy. Try again in a moment.", retryAfter: 1)
    }
}
