package import Glibc

/// The identity of a process, distinct from later processes with the same id: the id, the start time and the boot.
package struct ProcessIdentity: Sendable, Hashable {
    package let pid: pid_t
    /// Clock ticks between the boot and the start of the process (`/proc/PID/stat`, field 22).
    package let startTicks: UInt64
    /// The kernel's id of this boot, since ticks count from the boot.
    package let boot: String

    /// The process with the id; nil if there is none.
    package init?(of pid: pid_t) {
        guard let stat = ProcessStat(of: pid), stat.isRunning else { return nil }
        self.pid = pid
        startTicks = stat.startTicks
        boot = Self.currentBoot
    }

    /// A child process that was just started, even if it has exited already: its id stays reserved until the parent
    /// waits for it.
    package init?(startedAs pid: pid_t) {
        guard let stat = ProcessStat(of: pid) else { return nil }
        self.pid = pid
        startTicks = stat.startTicks
        boot = Self.currentBoot
    }

    /// Parses the format of `text`; nil if it is invalid.
    package init?(parsing text: String) {
        let fields = text.split(whereSeparator: \.isWhitespace)
        guard fields.count == 3, let pid = pid_t(fields[0]), pid > 0, let ticks = UInt64(fields[1]) else { return nil }
        self.pid = pid
        startTicks = ticks
        boot = String(fields[2])
    }

    /// One line; the id comes first, so that `kill $(cut -d' ' -f1 FILE)` works.
    package var text: String { "\(pid) \(startTicks) \(boot)\n" }

    /// Whether this process still runs. A zombie does not count as running.
    package var isAlive: Bool { ProcessIdentity(of: pid) == self }

    /// Sends a signal, unless the process has exited, even if its id was reused.
    package func send(_ signal: Int32) {
        if isAlive { kill(pid, signal) }
    }

    /// Ends threads that go on although the first one has exited: after a crash they may wait for its report for ever, and
    /// hold the process's ports.
    package func endRest() {
        guard boot == Self.currentBoot, let stat = ProcessStat(of: pid), stat.startTicks == startTicks else { return }
        kill(pid, SIGKILL)
    }

    private static var currentBoot: String {
        let text = KernelFile.text("/proc/sys/kernel/random/boot_id")
        return text.map { String($0.prefix { !$0.isWhitespace }) } ?? "-"
    }
}

/// The fields of `/proc/PID/stat` (proc(5)).
package struct ProcessStat {
    /// `R`, `S`, `D`, … and `Z` for a process that has exited.
    package let state: Character
    package let startTicks: UInt64
    /// Clock ticks spent in user and kernel mode.
    package let processorTicks: UInt64
    /// The same of the children that it has waited for, with theirs.
    package let waitedTicks: UInt64

    package var isRunning: Bool { state != "Z" && state != "X" }

    package init?(of pid: pid_t) {
        guard let text = KernelFile.text("/proc/\(pid)/stat") else { return nil }
        self.init(parsing: text)
    }

    /// The second field is the program's name in parentheses and may itself contain blanks and parentheses.
    package init?(parsing text: String) {
        guard let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 19, let state = fields[0].first, let ticks = UInt64(fields[19]),
            let own = UInt64(fields[11]), let kernel = UInt64(fields[12]), let waited = UInt64(fields[13]),
            let waitedKernel = UInt64(fields[14])
        else { return nil }
        self.state = state
        startTicks = ticks
        processorTicks = own + kernel
        waitedTicks = waited + waitedKernel
    }
}
