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
        let result = try await Subprocess.run(
            .name(program),
            arguments: Arguments(arguments),
            environment: environment,
            workingDirectory: "/",
            platformOptions: platformOptions,
            output: .string(limit: 65536),
            error: .combinedWithOutput
        )
        return (result.terminationStatus.isSuccess, result.standardOutput)
    }

    var environment: Environment {
        .inherit.updating(["PATH": "\(binaries):/usr/bin:/bin", "LC_MESSAGES": "C", "PGDATA": nil])
    }

    /// A session of its own, so that Ctrl-C in the terminal reaches us and not the server.
    var platformOptions: PlatformOptions {
        var options = PlatformOptions()
        options.createSession = true
        options.userID = account.user
        options.groupID = account.group
        if account.user != nil { options.supplementaryGroups = [] }
        return options
    }
}
