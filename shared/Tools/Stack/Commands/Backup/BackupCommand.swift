import ArgumentParser
import Backups
import FoundationEssentials
import StackKit

/// `stack backup`: takes a base backup.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Takes a backup of the running database and the files, and removes those that are no longer needed.",
        discussion: """
            With BACKUP_TO set, `stack up` archives every change as it is made, takes a backup at once and one each day, and
            `stack restore` can restore any second of the last days (BACKUP_KEEP, 7); this command is for one more, as
            before a risky change. To another place goes only the state of now.
            A backup has personal data: its folder is readable by its owner only. Secrets of .env are not in it.
            Examples:
              BACKUP_TO=/var/backups/madang stack up
              BACKUP_TO=/var/backups/madang stack backup
              stack backup --to /mnt/disk/madang
            The place may be a bucket of an S3-compatible store, with its key in BACKUP_S3_KEY_ID, BACKUP_S3_SECRET and
            BACKUP_S3_REGION (us-east-1):
              BACKUP_TO=https://kr.object.ncloudstorage.com/bucket stack up
            """
    )

    @OptionGroup var options: StackOptions

    @Option(help: "The folder or bucket; BACKUP_TO without it.")
    var to: String?

    @Option(help: "For how many days any second can be restored; BACKUP_KEEP without it, or 7.")
    var keep: Int?

    func validate() throws {
        if let keep, keep < 1 { throw ValidationError("--keep takes a number of days above 0") }
    }

    func run() async throws {
        let start = ContinuousClock.now
        let settings = try BackupSettings(environment: options.environment)
        let place = try settings.place(named: to, options.environment)
        let source = try BackupSource(options.server())
        let lock = try BackupLock(options.folder)
        defer { lock.release() }
        Console.progress("backup", "waiting for a checkpoint")
        let manifest = try await BaseBackup(source: source, place: place) { Console.progress("backup", $0) }
            .take(files: FileArchive(folder: options.files, place: place), keep: keep ?? settings.days)
        Console.done("backup", "\(manifest.id) in \(place.description)", since: start)
        for program in try options.programs().services {
            guard let place = try options.folder.place(of: program.name) else { continue }
            Console.line("\(program.name) is not in it: it is at \(place.description); back that server up itself.")
        }
    }
}
