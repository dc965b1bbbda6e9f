import AppWire
import ServiceHost

extension NotificationsError: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .rule(let what): Problem(.invalid, message: what)
        case .alarmNotFound: Problem(.notFound, code: "ALARM_404", message: "There is no such alarm.")
        case .alreadyRead: Problem(.conflict, code: "ALARM_409", message: "This alarm is read.")
        case .notAdmin: Problem(.forbidden, message: "Only administrators may do this.")
        case .personNotFound: Problem(.notFound, code: "USER_404", message: "There is no such user.")
        }
    }
}
