import ArgumentParser
import StackKit

/// `stack upgrade`: replaces running programs by new processes.
struct UpgradeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upgrade",
        abstract: "Replaces the running services and the gateway by the executables that are built now, under load.",
        discussion: """
            One service after the other, those that others call first: a new copy starts at the service's other port
            (AUTH_PORT or AUTH_SECOND_PORT), runs its migrations and becomes ready. Then the old copy is asked to end: it
            serves for four more seconds (SHUTDOWN_DELAY) in which its callers go on to the new one, and ends after its
            requests. The gateway is last: the new one takes over its ports, then its open connections and WebSockets.
            Requests in flight are answered by the old one. Connections with TLS cannot move: they are closed after their
            request, and WebSockets with status 1012, upon which apps connect again.
            If a new copy does not start, the old one goes on and nothing else is replaced. Ctrl-C ends the copy that is
            not needed; a copy that is left after kill -9 is ended by the next upgrade, up or down.
            The database and the sandbox stay as they are; stack up replaces a sandbox that was built again.
            Examples:
              make build && stack upgrade
              stack upgrade chat seats
              stack upgrade gateway
            """
    )

    @OptionGroup var options: StackOptions
    @Argument(help: "What to replace: services and gateway; all of them without a name.") var names: [String] = []

    func run() async throws {
        let folder = options.folder
        let known = try options.programs().upgradable.map(\.name)
        for name in names where !known.contains(name) {
            throw StackError("there is no \(name) to upgrade; there are \(known.joined(separator: ", "))")
        }
        let chosen = Set(names.isEmpty ? known : names)
        func requireAll() throws {
            let absent = known.filter { chosen.contains($0) && folder.pidFile(of: $0).process == nil }
            guard !absent.isEmpty else { return }
            let (verb, object) = absent.count == 1 ? ("does", "it") : ("do", "them")
            throw StackError("\(absent.joined(separator: ", ")) \(verb) not run; start \(object) with: stack up")
        }
        if !folder.exists { try requireAll() }
        let lock = try await SingleRun.take(folder)
        defer { lock.release() }
        let startup = try await options.startup().settleMoves()
        try await startup.recordSurvivors()
        try requireAll()
        guard !chosen.contains(startup.programs.gateway.name) || !folder.handoverSocket.isEmpty else {
            throw StackError(
                "the path \(folder.path) is too long for a socket by which connections can move; "
                    + "choose a shorter one, or restart: stack down && stack up"
            )
        }
        try await Upgrade(startup: startup, names: chosen).run()
    }
}
