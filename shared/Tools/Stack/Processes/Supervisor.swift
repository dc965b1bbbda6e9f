import PostgresServer
import StackKit

/// Starts the database and programs again that have died, each after a growing pause, and keeps what they printed last.
///
/// A program has died if its pid file names a process that does not run; a command that stops a program removes the
/// file. If an interrupted upgrade has left another copy of it that is ready, this one is recorded instead. While another
/// command holds the lock of the folder, nothing is started. A move of a schema that was cut off is ended.
struct Supervisor: Sendable {
    static let name = "supervisor"
    private static let database = "postgres"
    /// The name of what is left of a move, among those that are due.
    private static let moves = "move"

    let startup: Startup
    var interval: Duration = .milliseconds(500)

    private var folder: LocalFolder { startup.folder }

    /// Starts `stack supervise` as a process of its own; no effect if it is running.
    static func launch(_ options: StackOptions) throws {
        let file = options.folder.pidFile(of: name)
        guard file.process == nil else { return }
        let process = try DetachedProcess.start(
            "\(Executables.folder)/stack",
            arguments: ["supervise", "--local", options.folder.path],
            environment: options.environment.merging([LocalFolder.variable: options.folder.path]) { $1 },
            log: options.folder.log(of: name)
        )
        try file.write(process)
    }

    /// Runs until the task is cancelled.
    func run() async throws {
        var pauses: [String: RestartPause] = [:]
        while true {
            try await Task.sleep(for: interval)
            DetachedProcess.reap()
            guard !dead.isEmpty, let lock = try? SingleRun.takeFree(folder) else { continue }
            defer { lock.release() }
            try? await startup.recordSurvivors()
            // Read again, since the command that held the lock until now may have started or stopped some of them.
            let due = dead.filter { pauses[$0, default: RestartPause()].isOver() }
            for name in due { pauses[name, default: RestartPause()].begin() }
            if due.contains(Self.database) {
                await restart(Self.database, log: startup.server.log) {
                    // The processes of a server that was killed hold its shared memory for a moment.
                    try await Task.sleep(for: .seconds(1))
                    try await startup.startDatabase()
                }
            }
            if due.contains(Archive.name) {
                await restart(Archive.name, log: folder.log(of: Archive.name)) {
                    try Archive(folder: folder, environment: startup.environment).start()
                }
            }
            if due.contains(Self.moves), startup.database.isRunning {
                do {
                    try await startup.settleMoves()
                } catch {
                    Console.line("a move could not be settled: \(error)")
                }
            }
            await withDiscardingTaskGroup { group in
                for program in startup.programs.all where due.contains(program.name) {
                    group.addTask {
                        await restart(program.name, log: folder.log(of: program.name)) {
                            try await startup.start(program)
                        }
                    }
                }
            }
        }
    }

    /// The names of those that should run and do not, and of what a move has left.
    private var dead: [String] {
        let programs = (startup.programs.all.map(\.name) + [Archive.name]).filter { folder.pidFile(of: $0).isStale }
        let moves = (try? folder.moves.isEmpty) == false ? [Self.moves] : []
        return (startup.database.isRunning ? [] : [Self.database]) + moves + programs
    }

    private func restart(_ name: String, log: String, _ start: () async throws -> Void) async {
        let restarts = folder.restarts(of: name)
        let report = CrashReport(log: LogFile(path: log))
        report.save(in: folder.crashes, as: name)
        let cause = report.cause
        restarts.record(cause)
        Console.line("\(name) has died: \(cause); it is started again (restart \(restarts.count))")
        do {
            try await start()
        } catch {
            Console.line("\(name) could not be started: \(error)")
        }
    }
}
