import ArgumentParser
import Backups
import StackKit
import UnixSignals

/// `stack archive`: the process that archives while the stack is up.
struct ArchiveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive",
        abstract: "Archives the write-ahead log and the files in BACKUP_TO, until it is stopped.",
        shouldDisplay: false
    )

    @OptionGroup var options: StackOptions

    func run() async throws {
        let options = options
        let settings = try BackupSettings(environment: options.environment)
        let archiver = Archiver(
            source: { try BackupSource(options.server()) },
            place: try settings.place(named: nil, options.environment),
            folder: options.folder,
            files: options.files,
            keep: settings.days
        ) { Console.line($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup) { archiver.stop() }
            }
            try await archiver.run()
            group.cancelAll()
        }
    }
}
