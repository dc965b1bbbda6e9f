/// A fault as it was applied.
package struct AppliedFault: Sendable, Equatable {
    package var kind: FaultKind
    package var target: FaultTarget
    package var begun: Moment
    /// When its cause was gone. What was killed may still start: that is recovery.
    package var ended: Moment
    /// What was done, or why it was not.
    package var outcome: String
    package var state: State
    /// Whose routes it may have made unavailable.
    package var concerns: FaultScope

    /// As in the report of availability.
    var name: String { "\(kind.rawValue) \(target)" }

    package enum State: Sendable, Equatable {
        case applied
        /// It could not be applied, as when the program was away, and changed nothing.
        case skipped
        /// What it asks of the system was not done, or not undone: an upgrade, a move or a restore, for example.
        case failed
    }

    package init(
        kind: FaultKind,
        target: FaultTarget,
        begun: Moment,
        ended: Moment,
        outcome: String,
        state: State,
        concerns: FaultScope
    ) {
        (self.kind, self.target, self.begun, self.ended) = (kind, target, begun, ended)
        (self.outcome, self.state, self.concerns) = (outcome, state, concerns)
    }
}
