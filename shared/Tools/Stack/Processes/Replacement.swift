import StackKit

/// Replaces a running service by a new process on its other port.
struct Replacement: Sendable {
    let startup: Startup
    let program: Program
    let old: ProcessIdentity

    /// - Throws: `StackError` if the new process does not become ready; the old one goes on then.
    func run() async throws {
        let start = ContinuousClock.now
        let folder = startup.folder
        let next = program.onOtherPort
        guard Ports.isFree(next.port.number) else {
            let owner = Ports.owner(of: next.port.number) ?? "another program"
            throw StackError("port \(next.port.number), which the new \(program.name) needs, is taken by \(owner)")
        }
        Console.progress(program.name, "a new copy starts at :\(next.port.number)")
        let new = try await startup.launch(next, as: "the new \(program.name)")
        try folder.pidFile(of: program.name).write(new)
        folder.restarts(of: program.name).remove()
        Console.progress(program.name, "the old copy, process \(old.pid), ends after its requests")
        try await Shutdown(folder: folder, timeout: Startup.drainTime).stop(old, as: "the old \(program.name)")
        Console.done(program.name, "process \(old.pid) → \(new.pid), :\(next.port.number)", since: start)
    }
}
