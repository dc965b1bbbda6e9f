import Apps
import ServiceKit

extension WithSuhyeonError: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .malformed(let rules):
            Problem(.invalid, message: rules.map { "\($0)\n" }.joined())
        case .imageUnknown:
            Problem(.invalid, code: "CONSTANT_002", message: "profileImage is none of the app's.")
        case .regionUnknown:
            Problem(.invalid, code: "POST_003", message: "region is none of the app's.")
        case .unknown:
            // 404, not the 410 of other missing resources: the client signs out on 404.
            Problem(.unknownRoute, code: "USER_001", message: "There is no such user.")
        case .phoneTaken:
            Problem(.conflict, code: "USER_003", message: "This phone number is registered already.")
        case .phoneUnknown:
            Problem(.invalid, code: "USER_002", message: "This phone number is not registered.")
        case .phoneUnproved:
            Problem(.invalid, code: "USER_002", message: "Verify this phone number first.")
        case .codeGone:
            Problem(.invalid, code: "REDIS_002", message: "There is no code, or its time is over; ask for another.")
        case .codeWrong:
            Problem(.invalid, code: "REDIS_001", message: "verifyNumber is wrong.")
        case .ownNumber:
            Problem(.invalid, code: "BLOCK_002", message: "This is your own number.")
        case .notANumber:
            Problem(.invalid, code: "BLOCK_003", message: PhoneNumber.rule)
        case .blockedAlready:
            Problem(.invalid, code: "BLOCK_004", message: "This number is blocked already.")
        case .tooManyNumbers:
            Problem(
                .invalid,
                code: "REQUEST_001",
                message: "At most \(BlockedNumbers.limit) numbers can be blocked; unblock one first."
            )
        case .notBlocked:
            Problem(.notFound, code: "BLOCK_001", message: "This number is not blocked.")
        }
    }
}
