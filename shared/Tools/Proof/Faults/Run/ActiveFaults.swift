import Synchronization

/// The faults that go on now. Faults take other times than planned, and may not overlap more than rules permit for that.
final class ActiveFaults: Sendable {
    private let rules: FaultRules
    /// How much later than planned a fault may end without a consequence, in microseconds.
    private static let lateness: Int64 = 300_000
    private let state = Mutex(State())

    private struct State {
        var running: [PlannedFault] = []
        /// Those that have ended, with their real times.
        var over: [FaultHold] = []
    }

    init(_ rules: FaultRules) { self.rules = rules }

    /// Begins a fault.
    ///
    /// - Returns: nil, or the one that it would conflict with, upon which it is not begun.
    func begin(_ fault: PlannedFault, at now: Moment) -> PlannedFault? {
        var late = fault
        late.begins = max(now, fault.begins)
        let hold = FaultHold(late, rules)
        let tolerated = Moment(microseconds: now.microseconds - Self.lateness)
        return state.withLock { state in
            state.over.removeAll { $0.quietUntil < now.microseconds - 120_000_000 }
            let running = state.running.map { FaultHold($0, rules, ended: max($0.ends, tolerated)) }
            if let other = (running + state.over).first(where: { $0.conflicts(with: hold) }) { return other.fault }
            state.running.append(late)
            return nil
        }
    }

    /// - Parameter fault: As it was planned.
    func end(_ fault: PlannedFault, begun: Moment, at now: Moment) {
        state.withLock { state in
            state.running.removeAll { $0.kind == fault.kind && $0.target == fault.target }
            var real = fault
            real.begins = begun
            let ended = Moment(microseconds: max(begun.microseconds, now.microseconds - Self.lateness))
            state.over.append(FaultHold(real, rules, ended: ended))
        }
    }
}
