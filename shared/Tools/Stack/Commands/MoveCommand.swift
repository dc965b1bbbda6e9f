import ArgumentParser
import Crypto
import FoundationEssentials
import Moves
import PostgresServer
import StackKit

/// `stack move`: moves a service's schema to another PostgreSQL server.
struct MoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Moves the schema of a running service to another PostgreSQL server, while it is used.",
        discussion: """
            The URL is that of a superuser of the other server. Everything is checked before anything changes: versions,
            PostGIS, rights, free disk, room for replication, and that the other server reaches the present one.
            Then the service is replaced by a copy that knows both servers, of which the new one accepts no writes yet.
            The tables are copied by logical replication while the service writes; every two seconds a line says how far.
            When hardly anything is missing, writes wait, for at most --pause seconds, until the last of them is copied
            and the present server refuses the rest for good. Then the other one accepts them, and the service is
            replaced by a copy that knows it only. The former schema is kept as SERVICE_moved_TIME.
            A failure or Ctrl-C before that leaves the service where it is and removes the copy. After kill -9 the
            supervisor or the next up, upgrade or move does the same, or ends the move if it was decided. Unlogged tables
            begin empty, as after a crash. While a schema moves, up and upgrade are refused, and down interrupts the move.
            Afterwards up, upgrade and the supervisor use the new server. Back it up itself: stack backup does not.
            Standbys follow the primary in the URL, postgres://admin:secret@one:5432,two:5432/madang: the service then goes
            on to the one that accepts writes.
            A server that cannot open the Unix socket of the present one reaches it through a tunnel:
              ssh -N -R 15432:$PWD/.local/postgres/.s.PGSQL.5432 10.0.0.7
              stack move chat --to postgres://admin:secret@10.0.0.7/madang --from 127.0.0.1:15432
            Examples:
              stack move chat --to postgres://admin:secret@10.0.0.7/madang
              stack move chat --to local             back to the database of this installation
            """
    )

    @OptionGroup var options: StackOptions
    @Argument(help: "The service.") var service: String
    @Option(help: "The URL of a superuser of the other server, with its standbys; local for the own database.")
    var to: String
    @Option(help: "The host and port at which the other server reaches the present one; its own address without it.")
    var from: String?
    @Option(help: "How many seconds writes may wait.") var pause = 1.0

    func validate() throws {
        guard pause > 0, pause <= 60 else { throw ValidationError("--pause takes a number of seconds from 0 to 60") }
    }

    func run() async throws {
        let folder = options.folder
        let known = try options.programs().services.map(\.name)
        guard known.contains(service) else {
            throw StackError("there is no service \(service) to move; there are \(known.joined(separator: ", "))")
        }
        let target = to == "local" ? nil : try ServerURL(to)
        guard folder.exists else { throw StackError("\(service) does not run; start it with: stack up") }
        let lock = try await SingleRun.take(folder)
        defer { lock.release() }
        let startup = try await options.startup().settleMoves()
        try await startup.recordSurvivors()
        guard startup.database.elsewhere == nil else {
            throw StackError("stack move reads an installation's own server; this one uses that of DATABASE_ADMIN_URL")
        }
        guard startup.server.isRunning, folder.pidFile(of: service).process != nil else {
            throw StackError("\(service) does not run; start it with: stack up")
        }
        let administrator = try startup.own.administrator
        let own = ServicePlace(
            administrator: administrator,
            role: try startup.database.url(role: service)
        )
        let source = try folder.place(of: service) ?? own
        guard try target != nil || ServerURL(own.role).password == nil else {
            throw StackError("the path \(folder.path) is too long for a Unix socket, without which nothing moves back")
        }
        let password = try ServerURL(source.role).password ?? Self.randomPassword
        let record = MoveRecord(
            service: service,
            source: source,
            target: target.map { Self.place(at: $0, of: service, password: password) } ?? own,
            connection: try connection(to: source).text
        )
        try await Move(startup: startup, record: record, pause: .seconds(pause)).run()
    }

    /// The source's URL as the target reaches it, of a role that is created for the move.
    private func connection(to source: ServicePlace) throws -> ServerURL {
        var url = try ServerURL(source.administrator)
        if let from { url.servers = try ServerURL("postgres://from@\(from)").servers }
        url.options.append("connect_timeout=5")
        return MoveRole.url(of: service, password: Self.randomPassword, at: url)
    }

    /// The service knows the standbys, too; the primary is the first of the servers.
    private static func place(at target: ServerURL, of service: String, password: String) -> ServicePlace {
        var primary = target
        primary.servers = [target.servers[0]]
        return ServicePlace(administrator: primary.text, role: target.of(role: service, password: password).text)
    }

    private static var randomPassword: String {
        SymmetricKey(size: .bits256).withUnsafeBytes { bytes in
            bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }
}
