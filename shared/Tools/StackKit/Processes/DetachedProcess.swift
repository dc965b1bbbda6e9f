import FoundationEssentials
package import Glibc
import Synchronization

/// A program that keeps running after this one has exited: in its own session, so that Ctrl-C in the terminal does not
/// reach it, with its output in a file.
package enum DetachedProcess {
    /// Starts a program.
    ///
    /// - Parameters:
    ///   - log: Receives standard output and standard error, appended.
    ///   - environment: The complete environment; nothing is inherited.
    /// - Throws: `StackError` if the program cannot be started.
    package static func start(
        _ executable: String,
        arguments: [String] = [],
        environment: [String: String],
        log: String
    ) throws -> ProcessIdentity {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        for descriptor in openDescriptors where descriptor > 2 {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        let flags = newSession | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF)
        posix_spawnattr_setflags(&attributes, flags)

        var pid: pid_t = 0
        let words = CStrings([executable] + arguments)
        let variables = CStrings(environment.map { "\($0)=\($1)" })
        defer {
            words.free()
            variables.free()
        }
        let failure = posix_spawn(&pid, executable, &actions, &attributes, words.pointers, variables.pointers)
        guard failure == 0 else {
            throw StackError("\(executable) cannot be started: \(String(cString: strerror(failure)))")
        }
        // A process that has exited immediately still exists as a zombie, because it has not been waited for.
        guard let identity = ProcessIdentity(startedAs: pid) else {
            throw StackError("\(executable) was started and cannot be found in /proc")
        }
        children.withLock { _ = $0.insert(pid) }
        return identity
    }

    /// Programs that this process has started and not waited for.
    private static let children = Mutex<Set<pid_t>>([])

    /// Waits for those programs that have exited: until then the system keeps their entries.
    package static func reap() {
        children.withLock { $0 = $0.filter { waitpid($0, nil, WNOHANG) == 0 } }
    }

    /// How a child process has exited, such as "exit code 1" or "signal 9"; nil while it runs, and for processes that
    /// are not children.
    package static func ending(of pid: pid_t) -> String? {
        var status: Int32 = 0
        guard waitpid(pid, &status, WNOHANG) == pid else { return nil }
        let signal = status & 0x7f
        return signal == 0 ? "exit code \((status >> 8) & 0xff)" : "signal \(signal)"
    }

    /// `POSIX_SPAWN_SETSID` of <spawn.h>, which the Glibc module does not export.
    private static let newSession: Int16 = 0x80

    private static var openDescriptors: [Int32] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        return (names ?? []).compactMap { Int32($0) }
    }

    /// A C array of strings: NUL-terminated strings, with nil at the end.
    private struct CStrings {
        let pointers: [UnsafeMutablePointer<CChar>?]

        init(_ strings: [String]) {
            pointers = strings.map { strdup($0) } + [nil]
        }

        func free() {
            pointers.forEach { Glibc.free($0) }
        }
    }
}
