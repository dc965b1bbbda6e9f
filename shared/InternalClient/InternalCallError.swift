package import AppWire
import ServiceHost

/// Why a call to another of our processes gave no answer.
package enum InternalCallError: Error, Sendable, Equatable {
    /// It does not answer, or answers only that it cannot now. Nothing is known of the effect unless the call reads.
    case unavailable(String)
    /// It answered with a status that is no success.
    case refused(String, status: Int)
    /// It answered with something else than was asked for: the two processes do not fit together.
    case unreadable(String)

    /// Whether the same call may succeed a moment later.
    var isTransient: Bool {
        switch self {
        case .unavailable: true
        case .refused(_, let status): [429, 502, 503, 504].contains(status)
        case .unreadable: false
        }
    }
}

extension InternalCallError: ProblemConvertible {
    package var problem: Problem {
        switch self {
        case .unavailable:
            Problem(.unavailable, message: "A part of the service does not answer; try again.", retryAfter: 1)
        case .refused, .unreadable:
            Problem(.internal, message: "Something went wrong on our side.")
        }
    }
}
