import Glibc
import PostgresServer
import StackKit

/// Faults of a server of PostgreSQL.
struct DatabaseFaults: Sendable {
    static let name = "postgres"

    let server: PostgresServer
    /// A superuser's URL.
    let administrator: @Sendable () throws -> ServerURL
    /// Starts the server after it was killed, if no supervisor does.
    var restart: (@Sendable () async throws -> Void)?

    /// Kills one of the processes that serve clients. The server ends all others then, and recovers.
    ///
    /// - Parameter number: Chooses the process.
    func killBackend(_ number: Int64) throws(FaultNotApplied) -> FaultAction {
        let backends = running.filter(\.title.isBackend)
        guard !backends.isEmpty else { throw FaultNotApplied("PostgreSQL served no client.") }
        return kill(backends[Int(number) % backends.count])
    }

    /// Kills the checkpointer, with the same effect.
    func killCheckpointer() throws(FaultNotApplied) -> FaultAction {
        guard let process = running.first(where: \.title.isCheckpointer) else { throw Self.away }
        return kill(process)
    }

    /// Stops all processes of the server, the postmaster first.
    func stop() throws(FaultNotApplied) -> FaultAction {
        guard !running.isEmpty else { throw Self.away }
        return FaultAction {
            let processes = running
            for process in processes { process.identity.send(SIGSTOP) }
            return "The \(processes.count) processes of PostgreSQL were stopped."
        } end: {
            undo()
        }
    }

    /// Ends the server without a checkpoint, and starts it.
    func restartImmediately() throws(FaultNotApplied) -> FaultAction {
        guard server.isRunning else { throw Self.away }
        return FaultAction {
            try await server.restartImmediately()
            return "PostgreSQL was stopped without a checkpoint, and has recovered."
        }
    }

    /// Kills all processes of the server at once, as a loss of power does to them.
    func killAll() throws(FaultNotApplied) -> FaultAction {
        guard server.isRunning else { throw Self.away }
        return FaultAction {
            try await server.kill()
            return "All processes of PostgreSQL were killed."
        } end: {
            try await restart?()
        }
    }

    /// Lets all processes go on.
    func undo() {
        for process in running.reversed() { process.identity.send(SIGCONT) }
    }

    private static let away = FaultNotApplied("PostgreSQL did not run.")

    private struct Running: Sendable {
        var identity: ProcessIdentity
        var title: PostgresServer.Process
    }

    private var running: [Running] {
        let identities = server.processes.map { ($0.id, ProcessIdentity(of: $0.id)) }
        // The titles are read after the identities: a later process with the same id is not signalled.
        let titles = Dictionary(server.processes.map { ($0.id, $0) }) { $1 }
        return identities.compactMap { id, identity in
            guard let identity, let title = titles[id] else { return nil }
            return Running(identity: identity, title: title)
        }
    }

    private func kill(_ process: Running) -> FaultAction {
        FaultAction {
            process.identity.send(SIGKILL)
            return "\(process.title.title.trimmed), process \(process.identity.pid), was killed."
        }
    }
}

extension String {
    /// Without blanks at its end.
    fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}
