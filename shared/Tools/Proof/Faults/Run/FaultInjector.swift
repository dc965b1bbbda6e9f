import ServiceKit

/// Applies the faults of a plan to a system, each at its time, and ends all of them when the plan has ended or its task
/// is cancelled.
package struct FaultInjector: Sendable {
    private let system: any FaultySystem
    private let rules: FaultRules
    private let now: @Sendable () -> Moment
    /// Is called when a fault has ended, and with each sentence about what could not be undone.
    private let report: @Sendable (String) -> Void

    /// For the beginning of a fault and for its end, of kinds without a limit of their own.
    private static let limit = Duration.seconds(20)

    /// - Parameter now: The clock of the run, in which the plan begins at 0.
    package init(
        _ system: any FaultySystem,
        rules: FaultRules,
        now: @escaping @Sendable () -> Moment,
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        (self.system, self.rules, self.now, self.report) = (system, rules, now, report)
    }

    /// - Returns: The faults in the order of their beginnings, also those that could not be applied.
    package func run(_ plan: FaultPlan) async -> [AppliedFault] {
        await undo()
        let active = ActiveFaults(rules)
        let applied = await withTaskGroup(of: AppliedFault.self) { group in
            for fault in plan.faults {
                guard await reaches(fault.begins) else { break }
                let begun = now()
                // In turn, since tasks begin in any order.
                let other = active.begin(fault, at: begun)
                group.addTask {
                    if let other { return skip(fault, begun, because: other) }
                    defer { active.end(fault, begun: begun, at: now()) }
                    return await apply(fault, begun: begun)
                }
            }
            return await group.reduce(into: [AppliedFault]()) { $0.append($1) }
        }
        await undo()
        return applied.sorted { $0.begun < $1.begun }
    }

    /// Waits for a time.
    ///
    /// - Returns: False if the task is cancelled before.
    private func reaches(_ moment: Moment) async -> Bool {
        let pause = Duration.microseconds(moment.microseconds - now().microseconds)
        if pause > .zero { try? await Task.sleep(for: pause) }
        return !Task.isCancelled
    }

    private func undo() async {
        let system = system
        // Also when the run is cancelled.
        for sentence in await Task(operation: { await system.undoAll() }).value { report(sentence) }
    }

    private func skip(_ fault: PlannedFault, _ begun: Moment, because other: PlannedFault) -> AppliedFault {
        record(fault, begun, "\(rules.title(of: other.kind)) (\(other.target)) still had effects.", .skipped)
    }

    private func apply(_ fault: PlannedFault, begun: Moment) async -> AppliedFault {
        do {
            return await apply(fault, begun: begun, try await system.action(for: fault))
        } catch {
            return record(fault, begun, Self.sentence(error), .skipped)
        }
    }

    private func apply(_ fault: PlannedFault, begun: Moment, _ action: FaultAction) async -> AppliedFault {
        let limit = rules[fault.kind].limit.map { Duration.seconds($0) } ?? Self.limit
        var (outcome, state) = ("", AppliedFault.State.applied)
        do {
            outcome = try await withTimeout(limit, action.begin)
            _ = await reaches(Moment(microseconds: begun.microseconds + fault.lasts))
        } catch {
            outcome = Self.sentence(error)
            // What the end of a run interrupts has not failed.
            let isInterrupted = Task.isCancelled || error is CancellationError
            state = error is FaultNotApplied || isInterrupted ? .skipped : .failed
        }
        do {
            // Not cancelled with the run: what was begun is ended.
            try await Task { try await withTimeout(limit, action.end) }.value
        } catch {
            outcome += " It could not be ended: \(Self.sentence(error))"
            if !Task.isCancelled { state = .failed }
        }
        return record(fault, begun, outcome, state)
    }

    private func record(
        _ fault: PlannedFault,
        _ begun: Moment,
        _ outcome: String,
        _ state: AppliedFault.State
    ) -> AppliedFault {
        let applied = AppliedFault(
            kind: fault.kind,
            target: fault.target,
            begun: begun,
            ended: now(),
            outcome: outcome,
            state: state,
            concerns: state == .skipped ? .programs([]) : rules.scope(of: fault.kind, at: fault.target)
        )
        report("\(fault.target): \(outcome)")
        return applied
    }

    private static func sentence(_ error: any Error) -> String {
        switch error {
        case is TimedOut: "It took too long."
        case is CancellationError: "The run was ended."
        default: "\(error)"
        }
    }
}
