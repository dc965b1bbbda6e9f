/// How an act of a phone has ended, as far as the phone knows.
package enum Outcome: Sendable, Hashable, Codable {
    /// The answer says that it was done.
    case done
    /// The answer says that it was not done. Has the status and the app's error code.
    case refused(String)
    /// There was no answer, or one that leaves it open, such as status 503: it may have been done, and may still be done
    /// afterwards.
    case unknown(String)
}

extension Outcome {
    package var isDone: Bool { self == .done }

    package var isRefused: Bool { if case .refused = self { true } else { false } }

    package var isUnknown: Bool { if case .unknown = self { true } else { false } }

    /// The app's error code, the last word of a refusal: `SEAT_ALREADY_RESERVED` of "409 SEAT_ALREADY_RESERVED".
    package var code: String? {
        guard case .refused(let text) = self else { return nil }
        return text.split(separator: " ").last.map(String.init)
    }
}
