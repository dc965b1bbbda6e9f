import Glibc
import StackKit

/// A lock on the local folder, so that only one command starts or stops programs at a time. The kernel releases it when
/// the process exits.
struct SingleRun: Sendable {
    private let descriptor: Int32

    /// How long the supervisor may take to start programs again.
    private static let supervisorTime = Duration.seconds(180)

    /// Takes the lock. The supervisor, which starts programs again that have died, is waited for.
    ///
    /// - Throws: `StackError` if another command holds it, or the file cannot be opened.
    static func take(_ folder: LocalFolder) async throws -> SingleRun {
        let end = ContinuousClock.now + supervisorTime
        var isWaiting = false
        while true {
            switch try attempt(folder) {
            case .success(let lock): return lock
            case .failure(let holder):
                guard holder.pid > 0, holder.pid == folder.pidFile(of: Supervisor.name).process?.pid, .now < end else {
                    throw StackError(
                        "another command is starting or stopping things in \(folder.path) (process \(holder.pid))"
                    )
                }
                if !isWaiting { Console.line("waiting for the supervisor, which starts programs that have died") }
                isWaiting = true
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    /// Takes the lock if it is free.
    static func takeFree(_ folder: LocalFolder) throws -> SingleRun? {
        guard case .success(let lock) = try attempt(folder) else { return nil }
        return lock
    }

    /// Takes the lock over from a starting command: interrupts it, and waits until it has cleaned up.
    static func takeOver(_ folder: LocalFolder) async throws -> SingleRun {
        var interrupted: pid_t?
        while true {
            switch try attempt(folder) {
            case .success(let lock): return lock
            case .failure(let holder):
                if holder.pid > 0, holder.pid != interrupted {
                    kill(holder.pid, SIGINT)
                    interrupted = holder.pid
                }
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    func release() {
        close(descriptor)
    }

    /// The process that holds the lock; 0 if it is unknown.
    private struct Holder: Error {
        var pid: pid_t
    }

    private static func attempt(_ folder: LocalFolder) throws -> Result<SingleRun, Holder> {
        let descriptor = open(folder.lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw StackError("\(folder.lock) cannot be opened: \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            defer { close(descriptor) }
            var text = [UInt8](repeating: 0, count: 16)
            let count = pread(descriptor, &text, text.count, 0)
            return .failure(Holder(pid: pid_t(String(decoding: text.prefix(max(count, 0)), as: UTF8.self)) ?? 0))
        }
        let text = Array(String(getpid()).utf8)
        ftruncate(descriptor, 0)
        pwrite(descriptor, text, text.count, 0)
        return .success(SingleRun(descriptor: descriptor))
    }
}
