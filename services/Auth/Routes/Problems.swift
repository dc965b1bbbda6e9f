import Apps
import Contracts
import HTTPTypes
import ServiceKit

extension AccountError: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .emailInvalid:
            Problem(.malformed, message: "email is not an e-mail address.")
        case .passwordWeak:
            Problem(
                .malformed,
                message: "password must have 8 or more characters, with a letter, a digit and one of @$!%*#?&."
            )
        case .nicknameInvalid:
            Problem(.malformed, message: "nick is empty, too long, or has a character that names must not have.")
        case .passwordShort:
            Problem(.malformed, message: "password must have 8 to 128 characters.")
        case .nicknameBlank:
            Problem(.blankInName, message: "nick must not have whitespace.")
        case .nicknameTaken:
            Problem(.conflict, message: "nick is taken.")
        case .emailTaken:
            Problem(.conflict, message: "email has an account already.")
        case .credentialsWrong:
            Problem(.unauthenticated, message: "The e-mail address or the password is wrong.")
        case .socialTokenRefused:
            Problem(.unauthenticated, message: "The sign-in with the other service was refused.")
        case .accountGone:
            // 401, so that the apps sign out; on 404 they would keep retrying.
            Problem(.unauthenticated, message: "This account is gone; sign in again.")
        case .accountLeaving:
            Problem(.accountLeaving, message: "This account is about to be deleted; sign in to keep it.")
        case .imageUnknown:
            Problem(.malformed, message: "profileImageNum must be one of IMAGE_1 to IMAGE_6.")
        case .imageNotYours:
            Problem(.malformed, message: "profileImage must be a path that you were given for an upload.")
        case .imageGone:
            Problem(.notFound, message: "There is no such picture.")
        case .personUnknown:
            Problem(.notFound, message: "There is no such user.")
        case .tooLong(let field, let limit):
            Problem(.malformed, message: "\(field) must have \(limit) characters or fewer.")
        case .tagUnknown(let tag):
            Problem(.malformed, message: "tags has an unknown value, \(tag.prefix(40)).")
        case .busy:
            Problem(.unavailable, message: "Too many people are signing in; try again.", retryAfter: 1)
        }
    }
}

extension SessionError: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .refreshInvalid, .sessionEnded, .reused:
            Problem(.refreshInvalid, message: "This refresh token is not valid; sign in again.")
        case .refreshExpired:
            Problem(.refreshExpired, message: "This refresh token has expired; sign in again.")
        case .accountLeaving:
            Problem(.accountLeaving, message: "This account is about to be deleted; sign in to keep it.")
        case .accountGone:
            Problem(.accountGone, message: "This account is gone.")
        case .sessionUnknown:
            Problem(.notFound, message: "There is no such session.")
        case .nameInvalid:
            Problem(.invalid, message: "name must have 1 to 50 characters.")
        }
    }

    var fields: HTTPFields {
        revocation.map { [.sessionEnd: AuthAPI.Revocations.text(of: [$0])] } ?? [:]
    }
}

extension RateLimiter.TooMany: ProblemConvertible {
    var problem: Problem {
        Problem(.tooMany, message: "Too many tries; wait \(retryAfter) seconds.", retryAfter: retryAfter)
    }
}

extension KeyRingError: ProblemConvertible {
    var problem: Problem {
        Problem(.unavailable, message: "Starting up; try again.", retryAfter: 1)
    }
}
