import StackKit

/// Replaces a running program by a new process that takes its connections over.
struct Succession {
    let startup: Startup
    let program: Program
    let old: ProcessIdentity

    /// - Throws: `StackError` if the new process does not take over; the old one goes on then.
    func run() async throws {
        let start = ContinuousClock.now
        let log = LogFile(path: startup.folder.log(of: program.name))
        let before = log.size
        let new = try startup.launch(program)
        while old.isAlive {
            guard new.isAlive else {
                let ending = DetachedProcess.ending(of: new.pid) ?? "no exit code"
                throw StackError(
                    "the new \(program.name) stopped (\(ending)), the old one goes on. \(log.lastOutput(since: before))"
                )
            }
            guard ContinuousClock.now - start < startup.timeout else {
                try await Shutdown(folder: startup.folder).stop(new, as: "the new \(program.name)")
                throw StackError(
                    "the new \(program.name) did not take over within \(startup.timeout), the old one goes on. "
                        + log.lastOutput(since: before)
                )
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        try startup.folder.pidFile(of: program.name).write(new)
        startup.folder.restarts(of: program.name).remove()
        while await !Health.isReady(program.readyURL, within: .seconds(1)) {
            guard new.isAlive, ContinuousClock.now - start < startup.timeout else {
                throw StackError("the new \(program.name) is not ready. \(log.lastOutput(since: before))")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        Console.done(program.name, "process \(old.pid) → \(new.pid)", since: start)
    }
}
