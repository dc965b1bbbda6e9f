import Moves
import PostgresServer
import StackKit

/// Moves the schema of a running service to another server.
///
/// Until the source has decided to refuse writes, any failure leaves all as it was; afterwards the service goes on at the
/// target. `Startup.settleMoves` ends both, also for a command that is killed.
struct Move: Sendable {
    let startup: Startup
    let record: MoveRecord
    /// How long writes may wait.
    let pause: Duration

    /// - Throws: `StackError` that says what failed, and where the service goes on.
    func run() async throws {
        let start = ContinuousClock.now
        do {
            try await untilInterrupted { try await copyAndSwitch() }
        } catch {
            let reason = (error as? Interruption).map { "interrupted by \($0.signal)" } ?? "\(error)"
            let isBegun = try !startup.folder.moves.isEmpty
            do {
                try await startup.settleMoves()
            } catch {
                throw StackError("\(reason)\nThe move is not ended, and the supervisor goes on to try: \(error)")
            }
            let place = try startup.folder.place(of: record.service) ?? startup.own
            guard place.administrator == record.target.administrator else {
                throw StackError(
                    "\(reason)\n\(record.service) stays at \(record.source.description)"
                        + (isBegun ? "; what the move had made is removed." : "; nothing was changed.")
                )
            }
            throw StackError("\(reason)\n\(record.service) has moved to \(record.target.description).")
        }
        try await startup.settleMoves()
        Console.done(record.service, "at \(record.target.description)", since: start)
        if startup.environment["BACKUP_TO"] != nil {
            Console.line("stack backup and the archive are without \(record.service); back that server up itself.")
        }
    }

    private func copyAndSwitch() async throws {
        let (source, target) = (try ServerURL(record.source.administrator), try ServerURL(record.target.administrator))
        let check = try MoveCheck(
            record.service,
            from: source,
            to: target,
            connection: ServerURL(record.connection)
        ) { Console.progress("move", $0) }
        try await check.run()
        try await MoveLock(record.service, on: [source, target]).hold {
            try startup.folder.save(record)
            try await MoveSettlement(record).undo()
            let programs = PostgresPrograms(binaries: startup.server.binaries)
            let copy = try MoveCopy(record, by: programs) { Console.progress("copy", $0) }
            try await copy.prepare()
            // Migrations of the present build run before the tables are copied.
            try await startup.replaceIfMoved(record.service)
            Console.progress("copy", "begins")
            try await copy.begin { subscription in
                var record = record
                record.subscription = subscription
                try startup.folder.save(record)
            }
            try await copy.complete()
            Console.progress("switch", "writes wait")
            let took = try await MoveSwitch(record, limit: pause) { Console.progress("switch", $0) }.run()
            Console.progress("switch", "writes have waited for \(Int(took / .milliseconds(1))) ms")
        }
    }
}
