import ArgumentParser
import Backups
import PostgresServer
import StackKit
import Values

/// `stack status`: one line per process.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract:
            "Shows what runs: process, port, health, memory, restarts after a death. Exits with 1 unless everything is healthy."
    )

    @OptionGroup var options: StackOptions
    @Flag(help: "Separate the columns by tabs, for scripts.") var tabs = false

    func run() async throws {
        let folder = options.folder
        var rows = [["", "process", "port", "health", "memory", "restarts"]]
        let startup = try options.startup()
        if startup.database.elsewhere == nil {
            let postmaster = startup.server.processID
            rows.append(row("postgres", postmaster, "-", health: postmaster == nil ? "not running" : "ready"))
        }
        let supervisor = folder.pidFile(of: Supervisor.name).process?.pid
        rows.append(row(Supervisor.name, supervisor, "-", health: supervisor == nil ? "not running" : "ready"))
        let others = startup.unrecorded
        for program in startup.programs.all {
            let process = folder.pidFile(of: program.name).process
            let health = process == nil ? "not running" : await health(program)
            rows.append(row(program.name, process?.pid, program.servedPorts, health: health))
            for other in others where other.program.name == program.name {
                let health = await self.health(other.program)
                rows.append(row(program.name, other.process.pid, other.program.servedPorts, health: health))
            }
        }
        let state = ArchiveState(of: folder)
        if let archive = try archiveRow(state) { rows.append(archive) }
        if tabs { rows.forEach { Console.line($0.joined(separator: "\t")) } } else { Console.table(rows) }
        for name in Set(others.map(\.program.name)).sorted() {
            Console.line(
                "\n\(name) has another copy: an upgrade runs, or was cut off; stack upgrade or stack up settles it"
            )
        }
        let moves = try folder.moves
        for move in moves {
            let state =
                move.phase == .decided
                ? move.unopened
                : "\(move.service) is being moved to \(move.target.description), or a move was cut off; stack up settles it"
            Console.line("\n\(state)")
        }
        for program in startup.programs.services {
            guard let place = try folder.place(of: program.name) else { continue }
            Console.line("\n\(program.name) is in the database at \(place.description)")
        }
        if let state { Console.line("\narchive in \(state.place): \(state.problem ?? state.lag())") }
        let surplus = Set(others.map { String($0.process.pid) })
        guard rows.dropFirst().allSatisfy({ $0[3] == "ready" || surplus.contains($0[1]) }) else {
            throw ExitCode.failure
        }
    }

    private func health(_ program: Program) async -> String {
        await Health.isReady(program.readyURL) ? "ready" : "not ready"
    }

    /// nil if nothing is backed up.
    private func archiveRow(_ state: ArchiveState?) throws -> [String]? {
        let file = options.folder.pidFile(of: Archive.name)
        let process = file.process?.pid
        guard try process != nil || file.isStale || BackupSettings(environment: options.environment).place != nil else {
            return nil
        }
        let isReady = state.map { $0.problem == nil && $0.until != nil } ?? false
        return row(Archive.name, process, "-", health: process == nil ? "not running" : isReady ? "ready" : "not ready")
    }

    private func row(_ name: String, _ pid: Int32?, _ port: String, health: String) -> [String] {
        let restarts = String(options.folder.restarts(of: name).count)
        guard let pid else { return [name, "-", port, health, "-", restarts] }
        let memory = ProcessMemory.ofTree(pid).map { "\(Figure.text(Double($0) / 1_048_576)) MB" }
        return [name, String(pid), port, health, memory ?? "-", restarts]
    }
}
