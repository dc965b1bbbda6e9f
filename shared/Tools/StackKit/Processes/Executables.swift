import FoundationEssentials

/// Locates programs: Madang's own beside this one, others on the `PATH`.
package enum Executables {
    /// The folder of this program's executable.
    package static var folder: String {
        let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return own.map { String($0.prefix(upTo: $0.lastIndex(of: "/") ?? $0.endIndex)) } ?? "."
    }

    /// The path of a program; nil if it is not on the `PATH` (nor in Debian's folders for servers).
    package static func find(_ command: String) -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        return (path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin"])
            .map { "\($0)/\(command)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
