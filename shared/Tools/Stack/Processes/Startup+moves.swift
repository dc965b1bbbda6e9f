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
        var move = move
        if move.phase == .begun, try await settlement.isDecided() {
            move.phase = .decided
            try folder.save(move)
        }
        if [.decided, .done].contains(move.phase) {
            Console.progress("move", "\(move.service) goes on at \(move.target.description)")
            if move.phase == .decided {
                do {
                    try await settlement.open()
                } catch {
                    throw StackError("\(move.unopened): \(error)")
                }
            }
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

    /// Throws a `StackError` if the database that a schema was moved to is away, for which its service would wait.
    func requireDatabases(of programs: [Program]) async throws {
        for program in programs {
            guard let place = try folder.place(of: program.name) else { continue }
            do {
                try await place.require()
            } catch {
                throw StackError("the database that \(program.name) was moved to is away: \(error)")
            }
        }
    }

    /// The installation's own database, without a role.
    var own: ServicePlace {
        get throws { ServicePlace(administrator: try database.administrator.text, role: "") }
    }

    /// Replaces the running copy of a service, unless it has the present `DATABASE_URL`.
    func replaceIfMoved(_ service: String) async throws {
        // A command that was killed may have left a new copy.
        let startup = try await settle()
        guard let program = startup.programs.services.first(where: { $0.name == service }),
            let process = folder.pidFile(of: service).process,
            process.variable("DATABASE_URL") != (try databaseURL(of: service))
        else { return }
        try await Replacement(startup: startup, program: program, old: process).run()
    }
}

extension MoveRecord {
    /// Says that the decision is made, and what that means while the target is away.
    var unopened: String {
        "\(service) has left \(source.description) for \(target.description), and nothing accepts its writes until that opens"
    }
}
