import Subprocess
import SystemPackage

/// Runs one of PostgreSQL's programs under the server's account.
struct Command {
    let binaries: String
    let account: ServerAccount
    /// The words before each command line, such as those of `ip netns exec`.
    var prefix: [String] = []

    /// Runs a program to completion.
    ///
    /// - Returns: Whether it succeeded, and its output (at most 64 KB).
    func run(
        _ program: String,
        _ arguments: [String],
        variables: [Environment.Key: String?] = [:]
    ) async throws -> (succeeded: Bool, output: String) {
        let line = line(program, arguments)
        let result = try await Subprocess.run(
            line.executable,
            arguments: line.arguments,
            environment: environment.updating(variables),
            workingDirectory: "/",
            platformOptions: platformOptions,
            output: .string(limit: 65536),
            error: .combinedWithOutput
        )
        return (result.terminationStatus.isSuccess, result.standardOutput)
    }

    /// The command line that runs a program under the account.
    ///
    /// `setpriv` changes the account instead of a system call between fork and exec, because glibc's `setgroups` waits
    /// for threads that the parent was just starting, which do not exist in the child.
    func line(_ program: String, _ arguments: [String]) -> (executable: Executable, arguments: Arguments) {
        var words = prefix
        if let user = account.user, let group = account.group {
            words += ["setpriv", "--reuid=\(user)", "--regid=\(group)", "--clear-groups", "--"]
        }
        words.append(program)
        let executable: Executable = words[0].hasPrefix("/") ? .path(FilePath(words[0])) : .name(words[0])
        return (executable, Arguments(Array(words.dropFirst()) + arguments))
    }

    var environment: Environment {
        .inherit.updating(["PATH": "\(binaries):/usr/bin:/bin", "LC_MESSAGES": "C", "PGDATA": nil])
    }

    /// Creates a new session, so that Ctrl-C in the terminal does not reach the server.
    var platformOptions: PlatformOptions {
        var options = PlatformOptions()
        options.createSession = true
        return options
    }
}
