/// A fault of a plan.
package struct PlannedFault: Sendable, Codable, Hashable {
    package var begins: Moment
    /// In microseconds; 0 for what happens at once.
    package var lasts: Int64
    package var kind: FaultKind
    package var target: FaultTarget
    /// How strong it is: milliseconds of `slowCommits` and `slowLink`, calls of a provider, webhooks, seconds of a wrong
    /// clock, percent of `lossyLink`; 0 for other kinds.
    package var strength: Int

    package init(begins: Moment, lasts: Int64, kind: FaultKind, target: FaultTarget, strength: Int) {
        (self.begins, self.lasts, self.kind, self.target, self.strength) = (begins, lasts, kind, target, strength)
    }

    package var ends: Moment { Moment(microseconds: begins.microseconds + lasts) }
}
