import FoundationEssentials
import Glibc
import Subprocess
import SystemPackage

/// A program in a process of its own. Should the test's process end first, however it does, the program ends too.
package final class ProgramProcess: Sendable {
    private let pid: pid_t
    private let leave: AsyncStream<Void>.Continuation
    private let task: Task<Void, Never>

    /// The shell becomes the program. What it leaves behind waits on a pipe whose other end only this process holds.
    private static let script = """
        exec 3<&0
        ( read word <&3; [ "$word" = released ] || kill -9 $$ ) &
        log=$1
        shift
        exec "$@" </dev/null 3<&- >>"$log" 2>&1
        """

    private init(pid: pid_t, leave: AsyncStream<Void>.Continuation, task: Task<Void, Never>) {
        self.pid = pid
        self.leave = leave
        self.task = task
    }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - name: the name of one of our programs, from the folder that this test was built into, or a path.
    ///   - environment: added to that of this process.
    ///   - log: receives what it prints, appended.
    package static func start(
        _ name: String,
        _ arguments: [String] = [],
        environment: [String: String],
        log: String
    ) async throws -> ProgramProcess {
        let path = name.hasPrefix("/") ? name : "\(folder)/\(name)"
        let (left, leave) = AsyncStream<Void>.makeStream()
        let (pids, started) = AsyncThrowingStream<pid_t, any Error>.makeStream()
        let variables = environment.map { (Environment.Key(stringLiteral: $0.key), String?.some($0.value)) }
        let task = Task.detached {
            do {
                _ = try await Subprocess.run(
                    .path("/bin/sh"),
                    arguments: Arguments(["-c", script, "sh", log, path] + arguments),
                    environment: .inherit.updating(Dictionary(uniqueKeysWithValues: variables)),
                    input: .inputWriter,
                    output: .discarded,
                    error: .discarded
                ) { shell in
                    started.yield(shell.processIdentifier.value)
                    for await _ in left {}
                    _ = try await shell.standardInputWriter.write("released\n")
                    try await shell.standardInputWriter.finish()
                }
                started.finish()
            } catch {
                started.finish(throwing: error)
            }
        }
        for try await pid in pids { return ProgramProcess(pid: pid, leave: leave, task: task) }
        throw NotStarted(name: name)
    }

    /// False, too, for one that has ended by itself and is waited for only by `end`.
    package var isRunning: Bool {
        var state = siginfo_t()
        guard waitid(P_PID, id_t(pid), &state, WEXITED | WNOHANG | WNOWAIT) == 0 else { return false }
        return state.si_signo == 0
    }

    /// Sends a signal that does not end it.
    package func send(_ signal: Int32) { Glibc.kill(pid, signal) }

    /// Sends a signal, SIGKILL by default, and waits until the process is gone.
    package func end(_ signal: Int32 = SIGKILL) async {
        Glibc.kill(pid, signal)
        leave.finish()
        await task.value
    }

    /// The folder with the programs of this build.
    private static var folder: String {
        let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return own.map { String($0.prefix(upTo: $0.lastIndex(of: "/") ?? $0.endIndex)) } ?? "."
    }

    struct NotStarted: Error { var name: String }
}
