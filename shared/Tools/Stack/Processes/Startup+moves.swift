import Moves
import PostgresServer
import StackKit

/// What a move of a schema that was cut off has left.
extension Startup {
    /// Ends moves that were begun, in the direction that the source has decided: the service is replaced by a copy that
    /// knows the server with its schema only.
    ///
    /// - Returns: The same with the ports that the running programs serve.
    @discardableResult func settleMoves() async throws -> Startup {
        for move in try folder.moves { try await settle(move) }
        var settled = self
        settled.programs = programs.served(in: folder)
        return settled
    }

    private func settle(_ move: MoveRecord) async throws {
        let settlement = try MoveSettlement(move)
        var isDone = move.phase == .done
        if move.phase == .begun { isDone = try await settlement.isDecided() }
        var move = move
        if isDone {
            Console.progress("move", "\(move.service) goes on at \(move.target.description)")
            try await settlement.complete()
            if move.target.administrator == (try own.administrator) {
                folder.removePlace(of: move.service)
            } else {
                try folder.save(move.target, of: move.service)
            }
            move.phase = .done
            try folder.save(move)
            try await replaceIfMoved(move.service)
            if let name = try await settlement.seal() {
                Console.progress("move", "the former schema is kept at \(move.source.description) as \(name), fenced")
            }
        } else {
            Console.progress("move", "\(move.service) stays at \(move.source.description)")
            if let reason = try await settlement.undo() {
                Console.progress("move", "the next move removes the copy at \(move.target.description): \(reason)")
            }
            move.phase = .undone
            try folder.save(move)
            try await replaceIfMoved(move.service)
        }
        folder.remove(move)
    }

    /// The installation's own database, without a role.
    var own: ServicePlace {
        get throws { ServicePlace(administrator: try database.administrator.text, role: "") }
    }

    /// Replaces the running copy of a service, unless it has the present `DATABASE_URL`.
    func replaceIfMoved(_ service: String) async throws {
        let programs = programs.served(in: folder)
        guard let program = programs.services.first(where: { $0.name == service }),
            let process = folder.pidFile(of: service).process,
            process.variable("DATABASE_URL") != (try databaseURL(of: service))
        else { return }
        var startup = self
        startup.programs = programs
        try await Replacement(startup: startup, program: program, old: process).run()
    }
}
