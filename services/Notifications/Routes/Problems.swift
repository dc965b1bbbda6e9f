import Apps
import Contracts
import ServiceKit

extension NotificationsError: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .rule(let what): Problem(.invalid, message: what)
        case .noticeNotFound(let app): Self.missing(in: app)
        case .notTheirs(let app): Self.others(in: app)
        case .alreadyRead: Problem(.conflict, code: "ALARM_409", message: "This notification is read already.")
        case .notAdmin: Problem(.forbidden, message: "Only administrators may do this.")
        case .personNotFound: Problem(.accountGone, message: "There is no such user.")
        case .keyReused: Problem(.conflict, message: "Another request was made under this Idempotency-Key.")
        }
    }

    private static func missing(in app: App) -> Problem {
        let code: String? =
            switch app {
            case .seatcatcher: "ALARM_NOT_FOUND"
            case .moup: "ALARM_404"
            case .anlaka, .culture, .withsuhyeon: nil
            }
        return Problem(.notFound, code: code, message: "There is no such notification.")
    }

    /// MOUP's contract only has 404 here (contract 1.4, calls 57 to 60); With Suhyeon does the same.
    private static func others(in app: App) -> Problem {
        let message = "This notification belongs to another user."
        return switch app {
        case .seatcatcher: Problem(.forbidden, code: "ALARM_FORBIDDEN", message: message)
        case .anlaka, .culture: Problem(.notOwner, message: message)
        case .moup, .withsuhyeon: missing(in: app)
        }
    }
}
