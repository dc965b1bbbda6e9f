import Apps
import ServiceKit

extension CommunityError: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .postNotFound: Problem(.notFound, message: "There is no such post.")
        case .commentNotFound: Problem(.notFound, message: "There is no such comment.")
        case .notYours: Problem(.notOwner, message: "This belongs to another user.")
        case .rule(let what): Problem(.malformed, message: what)
        case .personNotFound: Problem(.notFound, message: "There is no such person.")
        case .eventNotFound: Problem(.notFound, message: "There is no such event.")
        }
    }
}
