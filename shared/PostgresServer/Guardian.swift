import Subprocess
import SystemPackage

/// Stops a server when this process ends, however it ends.
///
/// A small shell waits on a pipe whose other end only this process holds. The kernel closes it when we go, even after
/// `kill -9`; the shell then stops the server and, for a temporary one, removes its files.
final class Guardian: Sendable {
    private let leave: AsyncStream<Void>.Continuation
    private let task: Task<Void, Never>

    /// The server is stopped twice, a second apart: it may still have been starting the first time.
    private static let script = """
        trap '' INT TERM HUP
        read word
        [ "$word" = released ] && exit 0
        pg_ctl stop -D "$1" -m immediate -w -t 20 >/dev/null 2>&1
        sleep 1
        pg_ctl stop -D "$1" -m immediate -w -t 20 >/dev/null 2>&1
        [ -n "$2" ] && rm -rf "$2"
        exit 0
        """

    /// Posts a guardian over a data directory, before the server in it starts.
    ///
    /// - Parameter remove: the directory to remove at the end; nil to keep everything.
    init(dataDirectory: String, remove: String?, command: Command) async {
        let (left, leave) = AsyncStream<Void>.makeStream()
        let (posted, post) = AsyncStream<Void>.makeStream()
        let (name, arguments) = command.underAccount(
            "sh",
            ["-c", Self.script, "guardian", dataDirectory, remove ?? ""]
        )
        self.leave = leave
        self.task = Task.detached {
            _ = try? await Subprocess.run(
                .name(name),
                arguments: Arguments(arguments),
                environment: command.environment,
                workingDirectory: "/",
                platformOptions: command.platformOptions,
                input: .inputWriter,
                output: .discarded,
                error: .discarded
            ) { shell in
                post.finish()
                for await _ in left {}
                _ = try await shell.standardInputWriter.write("released\n")
                try await shell.standardInputWriter.finish()
            }
            post.finish()
        }
        for await _ in posted {}
    }

    /// Lets go of the server: from here on it lives or dies by itself.
    func release() async {
        leave.finish()
        await task.value
    }
}
