import Values

/// Deterministic runs of a model: a seed determines what happens, what fails, and every choice. All is in plain values,
/// so that a run takes no time but that of its decisions, and is repeated exactly.
package struct Simulation<Model: SimulationModel> {
    /// As it is when a run begins.
    let model: Model

    package init(_ model: Model) {
        self.model = model
    }

    /// Runs a number of steps, or until a promise is broken. A step is an input, a fault, a message that arrives, a timer
    /// or a restart. After the last input the system gets the model's `settlingTime`.
    ///
    /// - Parameter isTraced: Whether the run has a trace.
    package func run(seed: UInt64, steps: Int, isTraced: Bool = false) -> SimulationRun<Model> {
        var random = SplitMix(state: seed, for: "plan")
        var machine = SimulationMachine(model, seed: seed, isTraced: isTraced)
        var happenings: [Happening<Model>] = []
        while machine.steps < steps, machine.broken == nil {
            let (pause, kind) = model.next(using: &random)
            let instant = (happenings.last?.instant ?? 0) + max(pause, 0)
            let happening = Happening<Model>(instant: instant, kind: kind, seed: random.next())
            happenings.append(happening)
            machine.perform(happening)
        }
        machine.settle()
        return SimulationRun(seed: seed, happenings: happenings, machine)
    }

    /// Runs with exactly these happenings.
    package func replay(
        _ happenings: [Happening<Model>],
        seed: UInt64,
        isTraced: Bool = true
    ) -> SimulationRun<Model> {
        var machine = SimulationMachine(model, seed: seed, isTraced: isTraced)
        for happening in happenings where machine.broken == nil { machine.perform(happening) }
        machine.settle()
        return SimulationRun(seed: seed, happenings: happenings, machine)
    }
}

/// A run that has ended.
package struct SimulationRun<Model: SimulationModel> {
    package let seed: UInt64
    package let happenings: [Happening<Model>]
    package let steps: Int
    /// nil when all promises were kept.
    package let broken: BrokenPromise?
    /// The steps with an effect, one per line, with their time in seconds; empty for a run without a trace.
    package let trace: [String]
    /// The state at the end.
    package let model: Model

    init(seed: UInt64, happenings: [Happening<Model>], _ machine: SimulationMachine<Model>) {
        self.seed = seed
        self.happenings = happenings
        steps = machine.steps
        broken = machine.broken
        trace = machine.trace
        model = machine.model
    }

    /// The trace and what it has led to, for a reader.
    package var story: String {
        (["seed \(seed)"] + trace + [broken.map { "broken: \($0)" } ?? "all promises kept"]).joined(separator: "\n")
    }
}
