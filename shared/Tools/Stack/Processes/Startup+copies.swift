import StackKit

/// Two copies of a program run during an upgrade. The pid file names the one that is to stay: the new one from the moment
/// at which it is ready.
extension Startup {
    /// The maximum time for a copy that is replaced: callers go on to the other one, requests end, sockets move.
    static let drainTime = Duration.seconds(40)

    /// Running copies that no pid file names, which an interrupted upgrade has left.
    var unrecorded: [(program: Program, process: ProcessIdentity)] {
        let recorded = Set(programs.all.compactMap { folder.pidFile(of: $0.name).process })
        return folder.processes.filter { !recorded.contains($0) }.compactMap { process in
            let name = process.executable
            return programs.all.first { $0.name == name }.map { ($0.served(by: process), process) }
        }
    }

    /// Records a ready copy of every program of which the recorded one has ended, and a gateway in any case, since it has
    /// taken over from the recorded one.
    func recordSurvivors() async throws {
        for (program, process) in unrecorded where folder.pidFile(of: program.name).isStale {
            var isReady = program.role == .gateway
            if !isReady { isReady = await Health.isReady(program.readyURL) }
            if isReady { try folder.pidFile(of: program.name).write(process) }
        }
    }

    /// Ends what an interrupted upgrade has left: one copy of each program stays.
    ///
    /// - Returns: The same with the ports that these serve.
    @discardableResult func settle() async throws -> Startup {
        try await recordSurvivors()
        try await waitForTakeover()
        let shutdown = Shutdown(folder: folder, timeout: Self.drainTime)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (program, process) in unrecorded {
                Console.progress(program.name, "the other copy, process \(process.pid), ends after its requests")
                group.addTask { try await shutdown.stop(process, as: "the other \(program.name)") }
            }
            try await group.waitForAll()
        }
        var settled = self
        settled.programs = programs.served(in: folder)
        return settled
    }

    /// Waits until a new gateway has taken over from the recorded one, and records it.
    private func waitForTakeover() async throws {
        let file = folder.pidFile(of: programs.gateway.name)
        let next = unrecorded.first { $0.program.role == .gateway }?.process
        guard let old = file.process, let next else { return }
        Console.progress(programs.gateway.name, "process \(next.pid) takes over from \(old.pid)")
        let start = ContinuousClock.now
        while old.isAlive, next.isAlive, ContinuousClock.now - start < timeout {
            try await Task.sleep(for: .milliseconds(10))
        }
        if !old.isAlive, next.isAlive { try file.write(next) }
    }
}
