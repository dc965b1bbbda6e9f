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
        KernelFile.text("/proc/\(pid)/smaps_rollup").flatMap { size("Pss:", in: $0) }
    }

    /// The same without shared memory (`Pss_Shmem`), in which PostgreSQL keeps what it reads, up to `shared_buffers`.
    package static func proportionalWithoutBuffers(_ pid: Int32) -> Int? {
        KernelFile.text("/proc/\(pid)/smaps_rollup").flatMap { text in
            size("Pss:", in: text).map { $0 - (size("Pss_Shmem:", in: text) ?? 0) }
        }
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
        KernelFile.text("/proc/\(pid)/status").flatMap { size(field, in: $0) }
    }

    /// The bytes of a line such as "VmRSS:    1024 kB".
    private static func size(_ field: String, in text: String) -> Int? {
        text.split(separator: "\n").first { $0.hasPrefix(field) }
            .flatMap { $0.split(whereSeparator: { " \t".contains($0) }).dropFirst().first }
            .flatMap { Int($0) }.map { $0 * 1024 }
    }
}
