import Glibc
import StackKit

/// Faults of the processes that the pid files of an installation name. A process is signalled only if it is the recorded
/// one, not another one with its id.
struct ProcessFaults: Sendable {
    let folder: LocalFolder
    /// The words before the command line of a program that is started, such as those of `ip netns exec`.
    var prefix: [String] = []

    static let supervisor = "supervisor"

    /// - Throws: `FaultNotApplied` if the program does not run.
    func process(_ name: String) throws(FaultNotApplied) -> ProcessIdentity {
        guard let process = folder.pidFile(of: name).process else { throw FaultNotApplied("\(name) did not run.") }
        return process
    }

    func kill(_ name: String) throws(FaultNotApplied) -> FaultAction {
        let process = try process(name)
        return FaultAction {
            process.send(SIGKILL)
            return "\(name), process \(process.pid), was killed."
        }
    }

    func stop(_ name: String) throws(FaultNotApplied) -> FaultAction {
        let process = try process(name)
        return FaultAction {
            process.send(SIGSTOP)
            return "\(name), process \(process.pid), was stopped."
        } end: {
            process.send(SIGCONT)
        }
    }

    /// Kills the supervisor, and starts it as it was started.
    func killSupervisor() throws(FaultNotApplied) -> FaultAction {
        let process = try process(Self.supervisor)
        let words = process.words("cmdline")
        let variables = process.words("environ").map {
            $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        }
        let line = prefix + words
        guard !words.isEmpty else { throw FaultNotApplied("the supervisor's command cannot be read.") }
        let environment = Dictionary(variables.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { $1 }
        let file = folder.pidFile(of: Self.supervisor)
        return FaultAction { [folder] in
            process.send(SIGKILL)
            return "the supervisor of \(folder.path), process \(process.pid), was killed."
        } end: { [folder] in
            // Another command may have started it.
            guard file.process == nil else { return }
            _ = DetachedProcess.ending(of: process.pid)
            let next = try DetachedProcess.start(
                line[0],
                arguments: Array(line.dropFirst()),
                environment: environment,
                log: folder.log(of: Self.supervisor)
            )
            try file.write(next)
        }
    }

    /// Lets everything go on that is stopped.
    func undo() {
        let names = KernelFile.names("\(folder.path)/run").filter { $0.hasSuffix(".pid") }.map { $0.dropLast(4) }
        let recorded = names.compactMap { folder.pidFile(of: String($0)).process }
        for process in Set(recorded + folder.processes) { process.send(SIGCONT) }
    }
}

extension ProcessIdentity {
    /// The words of a file of the process in `/proc` that separates them by zeros; empty if it cannot be read.
    fileprivate func words(_ file: String) -> [String] {
        (KernelFile.text("/proc/\(pid)/\(file)") ?? "").split(separator: "\0").map(String.init)
    }
}
