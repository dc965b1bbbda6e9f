/// How much memory processes take, where a page that several share counts for each in proportion (`Pss` of
/// `/proc/PID/smaps_rollup`): figures that can be added up.
enum ProcessMemory {
    /// Of a process and its children in bytes; nil where it is gone, or not this user's to see.
    static func ofTree(_ pid: Int32) -> Int? {
        guard let own = proportional(pid) else { return nil }
        let children = KernelFile.text("/proc/\(pid)/task/\(pid)/children") ?? ""
        return children.split(separator: " ").compactMap { Int32($0) }.compactMap(ofTree).reduce(own, +)
    }

    private static func proportional(_ pid: Int32) -> Int? {
        guard let text = KernelFile.text("/proc/\(pid)/smaps_rollup") else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("Pss:") }
        return line.flatMap { Int($0.split(separator: " ")[1]) }.map { $0 * 1024 }
    }
}
