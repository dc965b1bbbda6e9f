/// The memory of processes, with shared pages divided among the processes (`Pss` of `/proc/PID/smaps_rollup`), so that
/// the figures can be added up.
package enum ProcessMemory {
    /// The memory of a process and its descendants in bytes; nil if it has exited or is not accessible.
    package static func ofTree(_ pid: Int32) -> Int? {
        guard let own = proportional(pid) else { return nil }
        let children = KernelFile.text("/proc/\(pid)/task/\(pid)/children") ?? ""
        return children.split(separator: " ").compactMap { Int32($0) }.compactMap(ofTree).reduce(own, +)
    }

    /// The memory of a process in bytes; nil if it has exited or is not accessible.
    package static func proportional(_ pid: Int32) -> Int? {
        guard let text = KernelFile.text("/proc/\(pid)/smaps_rollup") else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("Pss:") }
        return line.flatMap { Int($0.split(separator: " ")[1]) }.map { $0 * 1024 }
    }

    /// The child process with an executable name.
    package static func child(_ name: String) -> Int32? { children(name).first }

    /// The child processes with an executable name.
    package static func children(_ name: String) -> [Int32] {
        let threads = KernelFile.names("/proc/self/task")
        let children = threads.flatMap { thread in
            (KernelFile.text("/proc/self/task/\(thread)/children") ?? "").split(separator: " ").compactMap { Int32($0) }
        }
        return children.filter { KernelFile.text("/proc/\($0)/comm")?.split(separator: "\n").first == name[...] }
    }

    /// Resident memory, in bytes.
    package static func resident(_ pid: Int32) -> Int? { status("VmRSS:", of: pid) }

    /// The peak of resident memory since `resetPeak`, in bytes.
    package static func peak(_ pid: Int32) -> Int? { status("VmHWM:", of: pid) }

    /// Resets the peak (proc(5), `clear_refs`).
    package static func resetPeak(of pid: Int32) throws {
        try KernelFile.write("5", to: "/proc/\(pid)/clear_refs")
    }

    private static func status(_ field: String, of pid: Int32) -> Int? {
        let lines = KernelFile.text("/proc/\(pid)/status")?.split(separator: "\n") ?? []
        return lines.first { $0.hasPrefix(field) }
            .flatMap { $0.split(whereSeparator: { " \t".contains($0) }).dropFirst().first }
            .flatMap { Int($0) }.map { $0 * 1024 }
    }
}
