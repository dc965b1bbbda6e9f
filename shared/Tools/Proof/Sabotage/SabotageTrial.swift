package import Values

/// How the proof is tried with a known defect: a short run in which phones do, and programs suffer, what shows it.
package struct SabotageTrial: Sendable, Codable {
    package var defect: Sabotage
    /// The sentence of the promise that must find it, as in `Finding.promise`.
    package var promise: String
    /// How long people play.
    package var minutes: Double
    package var phones: Int
    /// Of the phones' random choices.
    package var seed: UInt64
    /// How the habits of people differ from the usual ones.
    var habits: HabitChanges
    /// What fails meanwhile; nothing else does.
    var faults: [Fault]

    /// Differences from other habits; nil where there is none.
    struct HabitChanges: Sendable, Codable {
        var shares: [String: Int]?
        var pause: [Double]?
        var lostAnswers: Double?
        var doubleTaps: Double?
        var background: Double?
        var endsEvery: Double?
        var otherDeviceEvery: Int?
        /// By kind of phone, instead of all its other acts.
        var acts: [String: [String: Double]]?
    }

    /// A fault of the plan.
    struct Fault: Sendable, Codable {
        var kind: FaultKind
        var target: String
        /// Seconds after the begin.
        var at: Double
        /// In seconds; nil for what happens at once.
        var lasts: Double?
        /// As that of `PlannedFault`.
        var strength: Int?
    }
}

extension SabotageTrial {
    var length: Duration { .milliseconds(minutes * 60_000) }

    var plan: FaultPlan {
        let planned = faults.map { fault in
            PlannedFault(
                begins: .seconds(fault.at),
                lasts: Int64((fault.lasts ?? 0) * 1e6),
                kind: fault.kind,
                target: FaultTarget(fault.target),
                strength: fault.strength ?? 0
            )
        }
        let ordered = planned.sorted { $0.begins < $1.begins }
        return FaultPlan(seed: seed, length: Int64(length / .microseconds(1)), faults: ordered)
    }

    /// - Parameter usual: The habits that those of the trial differ from.
    func settings(_ usual: Habits) -> ProofRun.Settings {
        ProofRun.Settings(seed: seed, length: length, phones: phones, habits: usual.changed(by: habits), plan: plan)
    }
}

extension Habits {
    fileprivate func changed(by changes: SabotageTrial.HabitChanges) -> Habits {
        var habits = self
        habits.shares = changes.shares ?? shares
        habits.pause = changes.pause ?? pause
        habits.lostAnswers = changes.lostAnswers ?? lostAnswers
        habits.doubleTaps = changes.doubleTaps ?? doubleTaps
        habits.background = changes.background ?? background
        habits.endsEvery = changes.endsEvery ?? endsEvery
        habits.otherDeviceEvery = changes.otherDeviceEvery ?? otherDeviceEvery
        habits.acts.merge(changes.acts ?? [:]) { $1 }
        return habits
    }
}
