import ArgumentParser
import Authentication
import FoundationEssentials
import PostgresServer
import StackKit

/// What every command needs to know: where the local folder is, and with which ports the house runs.
struct YardOptions: ParsableArguments {
    @Option(name: .customLong("local"), help: "The folder for the database, pid files and logs.")
    var path = ".local"

    var folder: LocalFolder { LocalFolder(path: path) }

    /// This command's environment, and below it the ports that the running house was started with.
    var environment: [String: String] {
        folder.savedPorts.merging(ProcessInfo.processInfo.environment) { $1 }
    }

    func fleet() throws -> Fleet { try Fleet(environment: environment) }

    /// Calls to the services of the running house.
    var internalCalls: InternalCalls {
        get throws {
            let secret = environment["MADANG_INTERNAL_SECRET"].map { InternalSecret($0) } ?? .development
            return InternalCalls(fleet: try fleet(), secret: secret)
        }
    }

    func server() throws -> PostgresServer { try PostgresServer(directory: folder.postgres) }
}
