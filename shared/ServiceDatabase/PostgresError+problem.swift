package import Apps
package import Postgres
import ServiceKit

extension PostgresError: ProblemConvertible {
    /// An unavailable, restarting or overloaded database is a temporary failure; a text that PostgreSQL cannot store is
    /// a client error; every other error is a defect.
    package var problem: Problem {
        switch kind {
        case .sessionEnded, .connectionLost, .unavailable, .closed:
            Self.tryAgain
        case .refused where isTransient || sqlState.map(Self.passing.contains) == true:
            Self.tryAgain
        case .unencodable:
            Self.unstorable
        case .refused where sqlState == .characterNotInRepertoire:
            Self.unstorable
        case .refused, .rowCount, .undecodable, .migration:
            Problem(.internal, message: "Something went wrong on our side.")
        }
    }

    private static let unstorable = Problem(.malformed, message: "A text has a character that cannot be stored.")
    private static let tryAgain = Problem(.unavailable, message: "Try again in a moment.", retryAfter: 1)

    /// Cancelled or timed out, shutting down, crashed, starting up, idle for too long, too many connections, out of
    /// memory, disk full, a limit exceeded, an input or output error, a standby that accepts no writes (PostgreSQL
    /// manual, appendix A).
    private static let passing: Set<SQLState> = [
        "57014", "57P01", "57P02", "57P03", "57P05", "25P03", "53300", "53200", "53100", "53400", "58030", "25006",
    ]
}
