import FoundationEssentials
import Glibc
import PostgresServer
import StackKit

/// An installation of a run on this machine, at ports of its own.
package struct ProofStack: ProofSystem {
    let folder: LocalFolder
    /// The path of `stack`.
    private let stack: String
    private let environment: [String: String]
    /// The database's volume, so that it can be full; nil where that is not possible.
    private let volume: SmallVolume?

    /// What differs from an installation of `make up`: all phones have few addresses, no limit is to hide what fails, and
    /// passengers keep what a seat has earned, so that they can offer it for another.
    static let settings = [
        "RATE_ADDRESS": "0", "RATE_ACCOUNT": "0", "RATE_SIGN_IN": "0", "MAX_CONNECTIONS_PER_ADDRESS": "1000000",
        "LIMIT_SIGN_IN_ADDRESS": "0", "LIMIT_EMAIL_CHECK_ADDRESS": "0", "LIMIT_MESSAGE_ADDRESS": "0",
        "LIMIT_CODE_ADDRESS": "0",
        "LOG_LEVEL": "warning", "TRACES_KEPT": "0.02", "SEAT_CLAW_BACK": "0",
        // Every phone renews its tokens some times in ten minutes.
        "AUTH_ACCESS_TTL": "180",
    ]

    /// Of the volume, in bytes.
    private static let size = 3 << 30

    /// - Parameters:
    ///   - path: A folder that does not exist yet.
    ///   - stack: The path of `stack`.
    ///   - hasSmallDisk: Whether the database gets a volume of its own in memory, which can be full. That needs root.
    ///   - settings: Of all programs, beside the usual ones.
    package init(path: String, stack: String, hasSmallDisk: Bool = false, settings: [String: String] = [:]) throws {
        folder = LocalFolder(path: path)
        self.stack = stack
        let ports = try Programs(environment: [:]).all.flatMap(\.ports)
        let numbers = try FreePort.find(ports.count).map(String.init)
        environment = Self.settings.merging(settings) { $1 }.merging(zip(ports.map(\.variable), numbers)) { $1 }
        volume = hasSmallDisk ? try SmallVolume(for: folder) : nil
    }

    /// Why the database cannot have a small volume, a sentence; nil if it can.
    package static var smallDiskObstacle: String? {
        get async {
            guard geteuid() == 0 else { return "A volume of its own for the database needs root." }
            let isPermitted = try? await SystemCommand.attempt(
                ["unshare", "--mount", "mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", "/mnt"]
            ).succeeded
            guard isPermitted == true else { return "This machine permits no volumes (mount -t tmpfs)." }
            guard (KernelFile.availableMemory ?? 0) > 2 * size else {
                return "A volume in memory needs 6 GB of free memory."
            }
            return nil
        }
    }

    private var command: StackCommand { StackCommand(prefix: [stack], folder: folder) }
    var programs: Programs { get throws { try Programs(environment: environment) } }

    package var path: String { folder.path }
    package var sentence: String { "one machine" + (volume == nil ? "" : ", the database's disk in memory") }
    package var gateways: [String] { get throws { [try programs.gateway.url] } }
    package var auths: [String] { get throws { [try programs.served(in: folder).auth.url] } }
    package var sandbox: String { get throws { try programs.sandboxURL } }
    package var databaseURL: String {
        get throws { try PostgresServer(directory: folder.postgres).adminURL(database: Database.name) }
    }
    package var faulty: any FaultySystem {
        get throws { try FaultyStack(folder, stack: stack, environment: environment) }
    }

    package func up() async throws {
        try await volume?.mount(size: Self.size)
        try await command.run(["up"], environment: environment)
    }

    package func remove() async {
        try? await command.run(["down"])
        try? await volume?.unmount()
        try? FileManager.default.removeItem(atPath: folder.path)
    }

    package func comparePayments() async { try? await command.run(["compare"]) }
    package func requireHealth() async throws { try await command.run(["status"]) }
}
