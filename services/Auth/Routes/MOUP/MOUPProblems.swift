import Apps
import ServiceKit

extension MOUPMemberError: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .unknown: Problem(.accountGone, message: "There is no such user.")
        case .registeredAlready: Problem(.conflict, code: "USER_409", message: "This user is registered already.")
        case .nicknameInvalid:
            Problem(
                .invalid,
                message: "nickname must have 1 to 8 characters: Hangul syllables or Latin letters, and digits."
            )
        case .roleInvalid: Problem(.badParameter, message: "role must be ROLE_WORKER or ROLE_OWNER.")
        }
    }
}
