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
