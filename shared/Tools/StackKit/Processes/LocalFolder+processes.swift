import FoundationEssentials
import Glibc

extension LocalFolder {
    /// All processes that were started for this folder, also those without a pid file.
    package var processes: [ProcessIdentity] {
        KernelFile.names("/proc").compactMap { pid_t($0) }.compactMap { ProcessIdentity(of: $0) }
            .filter { $0.variable(Self.variable) == path }
    }
}

extension ProcessIdentity {
    /// A variable of the environment that the process was started with; nil without one, and if this user may not read it.
    package func variable(_ name: String) -> String? {
        let lines = KernelFile.text("/proc/\(pid)/environ")?.split(separator: "\0") ?? []
        return lines.first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) }
    }

    /// The name of the executable file that it was started from, which may have been replaced since.
    package var executable: String? {
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/exe")
        return path?.replacing(" (deleted)", with: "").split(separator: "/").last.map(String.init)
    }
}
