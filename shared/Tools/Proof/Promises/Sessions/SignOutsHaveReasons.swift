/// No person is signed out without a reason.
///
/// Assumes that a `TokenUse` is `refused` only when its token was refused, and that the history has every act that may end
/// a session, also those with unknown answers.
///
/// Checks that each refusal has a reason: an act that ends the session and began before the refusal was answered, or an
/// expiry of the presented token before it.
package enum SignOutsHaveReasons {
    package static let promise = "No person is signed out without a reason."

    /// - Parameter skew: Microseconds by which the phone's and the server's opinions of an expiry may differ.
    package static func check(_ history: SessionHistory, skew: Int64 = 1_000_000) -> Finding {
        let ends = Dictionary(grouping: history.ends.filter { !$0.attempt.outcome.isRefused }, by: \.session)
        let uses = Dictionary(grouping: history.uses, by: \.session)
        let refused = history.uses.filter(\.attempt.outcome.isRefused)
        var found: Set<String> = []
        let violations = refused.sorted { $0.attempt.begun < $1.attempt.begun }.compactMap { use -> Violation? in
            let answered = use.attempt.ended ?? use.attempt.begun
            let isEnded = ends[use.session]?.contains { $0.attempt.begun <= answered } ?? false
            let isExpired = use.validUntil.map { $0 <= answered.after(skew) } ?? false
            guard !isEnded, !isExpired, found.insert(use.session).inserted else { return nil }
            let before = (uses[use.session] ?? []).filter { $0.attempt.begun < use.attempt.begun }
                .sorted { $0.attempt.begun < $1.attempt.begun }
            return Violation(
                "\(use.attempt.phone) was signed out of session \(use.session) without a reason.",
                story: before.suffix(5).map(\.step) + [use.step]
            )
        }
        return Finding(promise, checked: uses.count, violations: violations)
    }
}
