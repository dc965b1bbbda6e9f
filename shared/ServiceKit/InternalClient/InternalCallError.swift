package import Apps

/// The reasons why a call to another Madang process failed.
package enum InternalCallError: Error, Sendable, Equatable {
    /// The target did not respond, or responded that it is temporarily unavailable. Whether a write took effect is
    /// unknown.
    case unavailable(String)
    /// The target responded with an error status.
    case refused(String, status: Int)
    /// The response had an unexpected format: the versions of the two processes are incompatible.
    case unreadable(String)

    /// Whether a retry may succeed.
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
