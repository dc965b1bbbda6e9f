import Backups
import StackKit

/// The process that archives the database and files while the stack is up, if `BACKUP_TO` is set.
struct Archive: Sendable {
    static let name = "archive"

    let folder: LocalFolder
    let environment: [String: String]

    /// Stops it if it runs, and starts it with the present settings.
    func restart() async throws {
        try await Shutdown(folder: folder).stop(Self.name)
        try start()
    }

    /// No effect if nothing is backed up.
    func start() throws {
        guard let place = try BackupSettings(environment: environment).place else { return }
        let start = ContinuousClock.now
        folder.rotateLog(of: Self.name)
        let process = try DetachedProcess.start(
            "\(Executables.folder)/stack",
            arguments: ["archive", "--local", folder.path],
            environment: environment.merging([LocalFolder.variable: folder.path]) { $1 },
            log: folder.log(of: Self.name)
        )
        try folder.pidFile(of: Self.name).write(process)
        Console.done(Self.name, place.description, since: start)
    }
}
