/// A wait of a decision for something outside the event loop. The number distinguishes it from earlier waits on the
/// same connection, whose outcomes may arrive late.
struct DecisionWait: Equatable {
    enum Dependency {
        /// The published keys.
        case keys
        /// A refresh of the session.
        case refresh
    }

    let dependency: Dependency
    let number: Int
}
