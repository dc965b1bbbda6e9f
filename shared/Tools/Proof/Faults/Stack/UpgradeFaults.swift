import StackKit

/// Rolling upgrades of running programs by `stack upgrade`.
struct UpgradeFaults: Sendable {
    let stack: StackCommand

    func upgrade(_ name: String) throws(FaultNotApplied) -> FaultAction {
        try require(name)
        return FaultAction {
            try await stack.run(["upgrade", name])
            return "\(name) was replaced by a new process while it was used."
        }
    }

    /// Replaces a service by a copy with another clock, and that one by an ordinary copy.
    ///
    /// - Parameter seconds: How far the clock is ahead; below 0 it is behind.
    func wrongClock(_ name: String, _ seconds: Int) throws(FaultNotApplied) -> FaultAction {
        try require(name)
        return FaultAction {
            try await stack.run(["upgrade", name], environment: clock.environment(seconds))
            return "The clock of \(name) was \(abs(seconds)) s \(seconds < 0 ? "behind" : "ahead")."
        } end: {
            let process = stack.folder.pidFile(of: name).process
            if process?.variable(WrongClock.variable) != nil { try await stack.run(["upgrade", name]) }
        }
    }

    private var clock: WrongClock { WrongClock(library: "\(stack.folder.path)/run/wrong-clock.so") }

    private func require(_ name: String) throws(FaultNotApplied) {
        _ = try ProcessFaults(folder: stack.folder).process(name)
    }
}
