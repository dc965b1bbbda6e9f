import Glibc

/// The content of `postmaster.pid` in a data directory.
struct Postmaster: Equatable {
    var process: pid_t
    var port: Int
    /// The directory of its Unix socket; nil if it has none.
    var socketDirectory: String?
    /// Whether it listens on TCP as well.
    var listensOnTCP: Bool
    /// Whether it accepts connections.
    var isReady: Bool

    /// The running server of a data directory.
    ///
    /// - Returns: nil if the file is missing or stale: its process has exited, or another one has the same id.
    init?(dataDirectory: String) {
        guard let text = Files.text(at: "\(dataDirectory)/postmaster.pid") else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.count >= 6, let process = pid_t(lines[0]), let port = Int(lines[3]) else { return nil }
        guard Self.isAlive(process), Self.arguments(of: process).contains(dataDirectory) else { return nil }
        self.process = process
        self.port = port
        self.socketDirectory = lines[4].isEmpty ? nil : lines[4]
        self.listensOnTCP = !lines[5].isEmpty
        self.isReady = lines.count > 7 && lines[7].hasPrefix("ready")
    }

    /// The server's process and its children, which survive a killed parent briefly and hold its shared memory.
    var processes: [pid_t] {
        let children = Files.text(at: "/proc/\(process)/task/\(process)/children") ?? ""
        return [process] + children.split(separator: " ").compactMap { pid_t($0) }
    }

    /// Whether a process exists and is not a zombie.
    static func isAlive(_ process: pid_t) -> Bool {
        state(of: process).map { $0 != "Z" } ?? false
    }

    /// Whether a process is neither stopped nor gone.
    static func isRunning(_ process: pid_t) -> Bool {
        state(of: process).map { !"TZ".contains($0) } ?? false
    }

    /// The letter of its state (proc(5)); nil if it does not exist.
    private static func state(of process: pid_t) -> Character? {
        guard let text = Files.text(at: "/proc/\(process)/stat"), let end = text.lastIndex(of: ")") else { return nil }
        return text[end...].dropFirst(2).first
    }

    /// The arguments of a process. They are readable by all accounts, unlike its working directory if root has lost its
    /// privileges, as in a container.
    private static func arguments(of process: pid_t) -> [String] {
        let text = Files.text(at: "/proc/\(process)/cmdline") ?? ""
        return text.split(separator: "\0").map(String.init)
    }
}
