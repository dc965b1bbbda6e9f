import Subprocess
import SystemPackage

/// Stops a server when this process exits for any reason.
///
/// A small shell waits on a pipe whose other end only this process holds. The kernel closes it when the process exits,
/// even after `kill -9`; the shell then stops the server and, for a temporary one, removes its files.
final class Watchdog: Sendable {
    private let releasing: AsyncStream<Void>.Continuation
    private let task: Task<Void, Never>

    /// The server is stopped twice, a second apart, because it may still have been starting the first time.
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

    /// Starts the watchdog of a data directory, before its server starts.
    ///
    /// - Parameter remove: The directory to remove at the end; nil to keep all files.
    init(dataDirectory: String, remove: String?, command: Command) async {
        let (untilReleased, releasing) = AsyncStream<Void>.makeStream()
        let (untilStarted, starting) = AsyncStream<Void>.makeStream()
        self.releasing = releasing
        self.task = Task.detached {
            let line = command.line("sh", ["-c", Self.script, "watchdog", dataDirectory, remove ?? ""])
            _ = try? await Subprocess.run(
                line.executable,
                arguments: line.arguments,
                environment: command.environment,
                workingDirectory: "/",
                platformOptions: command.platformOptions,
                input: .inputWriter,
                output: .discarded,
                error: .discarded
            ) { shell in
                starting.finish()
                for await _ in untilReleased {}
                _ = try await shell.standardInputWriter.write("released\n")
                try await shell.standardInputWriter.finish()
            }
            starting.finish()
        }
        for await _ in untilStarted {}
    }

    /// Detaches the server from the lifetime of this process.
    func release() async {
        releasing.finish()
        await task.value
    }
}
