import Subprocess
import SystemPackage

/// Runs one of PostgreSQL's programs under the server's account.
struct Command {
    let binaries: String
    let account: ServerAccount

    /// Runs a program to its end.
    ///
    /// - Returns: whether it succeeded, and what it printed (at most 64 KB).
    func run(_ program: String, _ arguments: [String]) async throws -> (succeeded: Bool, output: String) {
        let (name, arguments) = underAccount(program, arguments)
        let result = try await Subprocess.run(
            .name(name),
            arguments: Arguments(arguments),
            environment: environment,
            workingDirectory: "/",
            platformOptions: platformOptions,
            output: .string(limit: 65536),
            error: .combinedWithOutput
        )
        return (result.terminationStatus.isSuccess, result.standardOutput)
    }

    /// The command line that runs a program under the account.
    ///
    /// By `setpriv` of util-linux, not by the user id in Subprocess's options: there the C library's `setuid` runs between
    /// clone and exec and may wait for ever for threads that exist in the parent only.
    func underAccount(_ program: String, _ arguments: [String]) -> (name: String, arguments: [String]) {
        guard let user = account.user else { return (program, arguments) }
        let group = account.group ?? user
        return ("setpriv", ["--reuid=\(user)", "--regid=\(group)", "--clear-groups", "--", program] + arguments)
    }

    var environment: Environment {
        .inherit.updating(["PATH": "\(binaries):/usr/bin:/bin", "LC_MESSAGES": "C", "PGDATA": nil])
    }

    /// A session of its own, so that Ctrl-C in the terminal reaches us and not the server.
    var platformOptions: PlatformOptions {
        var options = PlatformOptions()
        options.createSession = true
        return options
    }
}
