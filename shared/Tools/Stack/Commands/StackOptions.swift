import ArgumentParser
import FoundationEssentials
import PostgresServer
import StackKit

/// The options common to all commands: the local folder and the ports of the installation.
struct StackOptions: ParsableArguments {
    @Option(name: .customLong("local"), help: "The folder for the database, pid files and logs.")
    var path = ".local"

    var folder: LocalFolder { LocalFolder(path: path) }

    /// The environment of this command, supplemented by the ports of the running installation and where its parts on
    /// other machines are.
    var environment: [String: String] {
        folder.savedPorts.merging(ProcessInfo.processInfo.environment) { $1 }
    }

    /// All programs, with the ports that the running ones serve.
    func programs() throws -> Programs { try Programs(environment: environment).served(in: folder) }

    /// The internal endpoints of the running services.
    var internalCalls: InternalCalls {
        get throws { try InternalCalls(programs(), environment: environment) }
    }

    func startup() throws -> Startup {
        Startup(
            programs: try programs(),
            folder: folder,
            environment: environment,
            executables: Executables.folder,
            database: try database()
        )
    }

    /// The folder of services' files.
    var files: String { environment["FILES_DIR"] ?? folder.files }

    func server() throws -> PostgresServer {
        // An archive that is away for long may not fill the disk with what waits for it. A move reads the logical changes. The
        // server notices late that a program was killed, whose successor connects meanwhile.
        let settings = [
            "max_slot_wal_keep_size": "4GB", "wal_level": "logical", "max_connections": "200",
            "shared_buffers": Machine.current.sharedBuffers,
        ]
        return try PostgresServer(directory: folder.postgres, settings: settings)
    }

    func database() throws -> Database {
        let url = environment["DATABASE_ADMIN_URL"].flatMap { $0.isEmpty ? nil : $0 }
        return Database(server: try server(), elsewhere: try url.map(ServerURL.init))
    }

    var archive: Archive { Archive(folder: folder, environment: environment) }
}
