import FoundationEssentials
import Glibc
import TestKit

/// A program beside PostgreSQL, such as PgBouncer, that runs under the account of the server: as root, such programs refuse
/// to run.
enum ServerProcess {
    static func start(
        _ path: String,
        _ arguments: [String],
        environment: [String: String] = [:],
        log: String = "/dev/null"
    ) async throws -> ProgramProcess {
        let account =
            getuid() == 0 ? ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
        let line = account + [path] + arguments
        let paths = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]
        return try await ProgramProcess.start(
            line[0],
            Array(line.dropFirst()),
            environment: paths.merging(environment) { $1 },
            log: log
        )
    }

    /// The path of an installed program.
    static func path(of program: String) -> String? {
        ["/usr/sbin", "/usr/bin", "/usr/local/bin"].map { "\($0)/\(program)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
