import Glibc

/// The processor time of processes.
package enum ProcessorTime {
    /// The processor time in seconds of a process and its descendants, of which it has waited for those that have ended;
    /// nil if it has exited.
    package static func ofTree(_ pid: Int32) -> Double? {
        guard let stat = ProcessStat(of: pid) else { return nil }
        let own = Double(stat.processorTicks + stat.waitedTicks) / Double(sysconf(Int32(_SC_CLK_TCK)))
        let children = KernelFile.text("/proc/\(pid)/task/\(pid)/children") ?? ""
        return children.split(separator: " ").compactMap { Int32($0) }.compactMap(ofTree).reduce(own, +)
    }
}
