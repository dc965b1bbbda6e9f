import ArgumentParser
import StackKit

/// `stack upgrade`: replaces a running program by a new process.
struct UpgradeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upgrade",
        abstract: "Replaces the running gateway by the executable that is built now, without closing a connection.",
        discussion: """
            The new gateway starts beside the old one and takes over its ports, then its open connections and WebSockets.
            Requests in flight are answered by the old one, which ends after them. Connections with TLS cannot move: they
            are closed after their request, and WebSockets with status 1012, upon which apps connect again.
            If the new one does not start, the old one goes on.
            Example:
              make build && stack upgrade gateway
            """
    )

    enum Target: String, ExpressibleByArgument, CaseIterable {
        case gateway
    }

    @OptionGroup var options: StackOptions
    @Argument(help: "What to replace: gateway.") var target: Target

    func run() async throws {
        let folder = options.folder
        let absent = StackError("the gateway does not run; start it with: stack up")
        guard folder.exists else { throw absent }
        let lock = try SingleRun.take(folder)
        defer { lock.release() }
        let startup = try options.startup()
        let program = startup.programs.gateway
        guard let old = folder.pidFile(of: program.name).process else { throw absent }
        guard !folder.handoverSocket.isEmpty else {
            throw StackError(
                "the path \(folder.path) is too long for a socket by which connections can move; "
                    + "choose a shorter one, or restart: stack down && stack up"
            )
        }
        try await Succession(startup: startup, program: program, old: old).run()
    }
}
