import FoundationEssentials

/// Where programs are: Madang's own beside this one, everybody else's on the `PATH`.
package enum Executables {
    /// The folder that this program was started from.
    package static var folder: String {
        let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return own.map { String($0.prefix(upTo: $0.lastIndex(of: "/") ?? $0.endIndex)) } ?? "."
    }

    /// The path of a program, or nil when it is nowhere on the `PATH` (nor where Debian keeps servers).
    package static func find(_ command: String) -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        return (path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin"])
            .map { "\($0)/\(command)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
