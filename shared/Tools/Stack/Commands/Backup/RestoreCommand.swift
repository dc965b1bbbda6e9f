import ArgumentParser
import Backups
import FoundationEssentials
import StackKit

/// `stack restore`: brings the database and the files back.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restores the database as it was at any archived second, and the files that are missing.",
        discussion: """
            Madang has to be down. The database is restored beside the present one, which is kept aside, and takes its place
            when all has been replayed; until then nothing is changed. What was committed after the time is not restored.
            Then `stack up` starts everything, and begins another archive.
            Examples:
              stack restore                                  the last archived moment
              stack restore --to 2026-11-25T12:34:56+09:00   as it was then
              stack restore --from /mnt/disk/madang          from another place than BACKUP_TO
            """
    )

    @OptionGroup var options: StackOptions

    @Option(help: "The time, with its offset from UTC; the last archived moment without it.")
    var to: String?

    @Option(help: "The folder or bucket with the backups; BACKUP_TO without it.")
    var from: String?

    func validate() throws {
        guard let to, BackupTime.date(to) == nil else { return }
        throw ValidationError("'\(to)' is no time; write it as 2026-11-25T12:34:56+09:00")
    }

    func run() async throws {
        let start = ContinuousClock.now
        let settings = try BackupSettings(environment: options.environment)
        let place = try settings.place(named: from, options.environment)
        let folder = options.folder
        // Before the lock, which the supervisor of a running stack may hold, and after it.
        try refuseWhileRunning()
        try folder.prepare()
        let lock = try await SingleRun.take(folder)
        defer { lock.release() }
        try refuseWhileRunning()
        let restore = Restore(place: place, server: try options.server(), files: options.files) {
            Console.progress("restore", $0)
        }
        let target = to.flatMap(BackupTime.date)
        let outcome = try await restore.run(to: target, in: folder)
        Console.done("restore", "backup \(outcome.backup.id), \(outcome.files) files", since: start)
        if let former = outcome.former { Console.line("The former database is in \(former).") }
        for program in try options.programs().services {
            guard let place = try folder.place(of: program.name) else { continue }
            Console.line("\(program.name) is not restored: it is at \(place.description); restore that server itself.")
        }
        Console.line("The database is as of \(BackupTime.text(outcome.moment)). Start everything: stack up")
    }

    private func refuseWhileRunning() throws {
        let names = try options.programs().all.map(\.name) + [Supervisor.name, Archive.name]
        guard names.allSatisfy({ options.folder.pidFile(of: $0).process == nil }) else {
            throw StackError("Madang is running; stop it first: stack down")
        }
    }
}
