/// The processes of a running server, and a restart that crashes it.
extension PostgresServer {
    /// A process of the server.
    package struct Process: Sendable, Equatable {
        package var id: Int32
        /// What it shows as its command line, such as `postgres: chat madang [local] idle`; the postmaster's is that of the
        /// program.
        package var title: String

        /// Whether it serves a client.
        package var isBackend: Bool {
            title.prefixMatch(of: #/postgres: (?!walsender )\S+ \S+ (\[local\]|\S+\(\d+\)) /#) != nil
        }

        package var isCheckpointer: Bool { title.hasPrefix("postgres: checkpointer") }
    }

    /// The postmaster, then its children; empty if the server is not running.
    package var processes: [Process] {
        (Postmaster(dataDirectory: dataDirectory)?.processes ?? []).map { id in
            let words = Files.text(at: "/proc/\(id)/cmdline") ?? ""
            return Process(id: id, title: words.replacing("\0", with: " "))
        }
    }

    /// Stops the server without a checkpoint, starts it with the settings that it had, and waits until it accepts
    /// connections.
    package func restartImmediately() async throws {
        let (succeeded, output) = try await command.run(
            "pg_ctl",
            ["restart", "-D", dataDirectory, "-l", log, "-m", "immediate", "-w", "-t", "30"]
        )
        // Another program may have started it in between.
        guard succeeded || Postmaster(dataDirectory: dataDirectory)?.isReady == true else {
            throw Diagnosis.error(of: output, doing: "restart PostgreSQL", in: directory)
        }
    }
}
