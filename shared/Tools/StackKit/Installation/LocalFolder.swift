import FoundationEssentials
import Glibc

/// `.local/`: all files that a local installation creates on this machine.
package struct LocalFolder: Sendable {
    /// An absolute path.
    package let path: String

    /// The variable with the folder's path in the environment of the programs that are started for it.
    package static let variable = "MADANG_FOLDER"

    package init(path: String) {
        let here = FileManager.default.currentDirectoryPath
        self.path = path.hasPrefix("/") ? path : "\(here)/\(path)"
    }

    package var postgres: String { "\(path)/postgres" }

    /// The folder of files stored by services.
    package var files: String { "\(path)/files" }

    /// The folder of provider webhooks that wait for the database.
    package var notices: String { "\(path)/notices" }

    /// The folder of what programs printed before they died.
    package var crashes: String { "\(path)/crashes" }

    /// The socket at which the next gateway takes over; empty if the folder's path is too long for one (unix(7)).
    package var handoverSocket: String {
        let path = "\(path)/run/gateway.socket"
        // Its temporary name is longer by a process id.
        return path.utf8.count <= 96 ? path : ""
    }

    /// The folder of the services' Unix sockets.
    package var sockets: String { "\(path)/run" }

    package var lock: String { "\(path)/run/lock" }
    private var ports: String { "\(path)/run/ports" }

    package var exists: Bool { FileManager.default.fileExists(atPath: "\(path)/run") }

    package func pidFile(of name: String) -> PidFile { PidFile(path: "\(path)/run/\(name).pid") }
    package func log(of name: String) -> String { "\(path)/logs/\(name).log" }

    /// Creates the folders.
    ///
    /// - Parameter leastFree: The required free space, in bytes; the database's files take 60 MB before the first row,
    ///   and its write-ahead log up to 64 MB more.
    /// - Throws: `StackError` if that fails, or if the disk is nearly full.
    package func prepare(leastFree: UInt64 = 256 << 20) throws {
        do {
            for folder in ["run", "logs"] {
                try FileManager.default.createDirectory(atPath: "\(path)/\(folder)", withIntermediateDirectories: true)
            }
        } catch {
            throw StackError("\(path) cannot be written: \(String(cString: strerror(errno)))")
        }
        if let free = freeBytes, free < leastFree {
            let (left, needed) = (free >> 20, leastFree >> 20)
            throw StackError("the disk of \(path) has \(left) MB left and Madang needs \(needed) MB; free some space")
        }
    }

    /// Settings that commands after `up` need as well.
    private static let lasting = ["DATABASE_ADMIN_URL", "SANDBOX_URL", "SERVICES_ADDRESS", "PEER_HOSTS"]

    /// The ports of the running installation and where its parts on other machines are, by variable; empty if nothing runs.
    package var savedPorts: [String: String] {
        let text = (try? String(contentsOfFile: ports, encoding: .utf8)) ?? ""
        let pairs = text.split(separator: "\n").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        return Dictionary(pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { $1 }
    }

    /// Saves the ports, so that `status`, `demo` and the next `up` use the same ones.
    ///
    /// - Parameter environment: The settings of `up`.
    package func save(ports programs: Programs, environment: [String: String] = [:]) throws {
        let settings = Self.lasting.compactMap { name in environment[name].map { "\(name)=\($0)\n" } }
        let lines = programs.all.flatMap(\.ports).map { "\($0.variable)=\($0.number)\n" }
        try PrivateFile.write(Data((settings + lines).joined().utf8), to: ports)
    }

    package func removeSavedPorts() {
        try? FileManager.default.removeItem(atPath: ports)
    }

    /// Renames a large log to `NAME.log.1` to limit its growth.
    package func rotateLog(of name: String) {
        let file = log(of: name)
        var status = stat()
        guard stat(file, &status) == 0, status.st_size > Self.largeLogBytes else { return }
        rename(file, "\(file).1")
    }

    private static let largeLogBytes = 16 << 20

    private var freeBytes: UInt64? {
        var facts = statvfs()
        guard statvfs(path, &facts) == 0 else { return nil }
        return UInt64(facts.f_bavail) * UInt64(facts.f_frsize)
    }
}
