import Postgres
import PostgresServer
import TestKit
import Testing

@testable import Moves
@testable import StackKit

/// Two real servers between which schemas move without the programs of a stack.
struct MoveServers: Sendable {
    let source: PostgresServer
    let target: PostgresServer

    private static let settings = ["wal_level": "logical", "fsync": "off", "shared_buffers": "64MB"]

    /// Runs `body` with a source that has the schemas of all services, without tables, and an empty target.
    ///
    /// - Parameter settings: Additional ones of both servers.
    static func run(settings: [String: String] = [:], _ body: (MoveServers) async throws -> Void) async throws {
        let all = Self.settings.merging(settings) { $1 }
        let servers = MoveServers(
            source: try .temporary(port: FreePort.find(), settings: all),
            target: try .temporary(port: FreePort.find(), settings: all)
        )
        do {
            try await servers.source.start(detached: false)
            try await servers.target.start(detached: false)
            try await Database(server: servers.source).bootstrap()
            try await body(servers)
        } catch {
            try? await servers.stop()
            throw error
        }
        try await servers.stop()
    }

    private func stop() async throws {
        try await source.stop(.immediate)
        try await target.stop(.immediate)
    }

    var programs: PostgresPrograms { PostgresPrograms(binaries: source.binaries) }

    /// - Parameter port: Where the source is reached by the command and by the target; its own without it.
    func record(_ service: String, port: Int? = nil) throws -> MoveRecord {
        let there = try ServerURL(target.adminURL(database: Database.name))
        var source = try ServerURL(source.adminURL(database: Database.name))
        if let port {
            source.servers = [.init(host: "127.0.0.1", port: String(port))]
            source.password = self.source.password
        }
        return MoveRecord(
            service: service,
            source: ServicePlace(administrator: source.text, role: source.of(role: service, password: nil).text),
            target: ServicePlace(
                administrator: there.text,
                role: there.of(role: service, password: "secret").text
            ),
            connection: MoveRole.url(of: service, password: "borrowed", at: source).text
        )
    }

    func check(_ record: MoveRecord) throws -> MoveCheck {
        try MoveCheck(
            record.service,
            from: ServerURL(record.source.administrator),
            to: ServerURL(record.target.administrator),
            connection: ServerURL(record.connection)
        ) { _ in }
    }

    /// Copies a schema, until only the switch is missing.
    ///
    /// - Parameter body: Runs when the copy has begun.
    func copy(_ record: MoveRecord, while body: () async throws -> Void = {}) async throws -> MoveRecord {
        var record = record
        try await check(record).run()
        let copy = try MoveCopy(record, by: programs) { _ in }
        try await copy.prepare()
        try await copy.begin { record.subscription = $0 }
        try await body()
        try await copy.complete()
        return record
    }

    /// Moves a schema as a command does.
    @discardableResult func move(_ service: String, while body: () async throws -> Void = {}) async throws -> MoveRecord
    {
        let record = try await copy(record(service), while: body)
        _ = try await MoveSwitch(record, limit: .seconds(30)) { _ in }.run()
        let settlement = try MoveSettlement(record)
        try await settlement.open()
        try await settlement.seal()
        return record
    }

    func onSource<Value: Sendable>(_ body: (PostgresClient) async throws -> Value) async throws -> Value {
        try await Self.connect(source, body)
    }

    func onTarget<Value: Sendable>(_ body: (PostgresClient) async throws -> Value) async throws -> Value {
        try await Self.connect(target, body)
    }

    static func connect<Value: Sendable>(
        _ server: PostgresServer,
        _ body: (PostgresClient) async throws -> Value
    ) async throws -> Value {
        try await Administrator(url: ServerURL(server.adminURL(database: Database.name)), name: "test").connect(body)
    }

    /// Runs statements of the service's role, as its migrations are.
    func run(_ script: String, as service: String) async throws {
        let url = try ServerURL(Database(server: source).url(role: service))
        try await programs.psql(script, on: url)
    }
}

/// What a schema is and has.
struct SchemaState: Equatable {
    /// The statements that create it.
    var statements: [String]
    /// By table: the number of rows and a hash of them.
    var rows: [String: String]
    /// By sequence: the last value.
    var sequences: [String: Int]

    /// - Parameter stored: The present name of the schema, if it has another one now.
    init(of schema: String, stored: String? = nil, on server: PostgresServer) async throws {
        let name = stored ?? schema
        let url = try ServerURL(server.adminURL(database: Database.name))
        let text = try await PostgresPrograms(binaries: server.binaries).dump(schema: name, of: url)
        // Keys of psql's sessions, and the version, are those of each dump.
        statements = text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("\\") && !$0.hasPrefix("--") }
        (rows, sequences) = try await MoveServers.connect(server) { database in
            let rows = try await database.all(
                """
                SELECT c.relname::text, (xpath('/row/n/text()', query_to_xml(format(
                    'SELECT count(*) || '' '' || coalesce(md5(string_agg(t::text, '','' ORDER BY t::text)), '''') AS n FROM %s t',
                    c.oid::regclass), false, true, '')))[1]::text
                FROM pg_class c WHERE c.relnamespace = \(name)::regnamespace AND c.relkind IN ('r', 'p')
                    AND c.relpersistence = 'p' AND NOT c.relispartition
                """
            ) { try $0.decode(String.self, String.self) }
            let sequences = try await database.all(
                "SELECT sequencename::text, coalesce(last_value, 0) FROM pg_sequences WHERE schemaname = \(name)"
            ) { try $0.decode(String.self, Int.self) }
            return (Dictionary(uniqueKeysWithValues: rows), Dictionary(uniqueKeysWithValues: sequences))
        }
    }

    /// Records each difference.
    func expectSame(as other: SchemaState, _ subject: String) {
        let difference = other.statements.difference(from: statements)
        #expect(difference.isEmpty, "\(subject): \(difference.prefix(10))")
        for (table, state) in rows { #expect(other.rows[table] == state, "\(subject).\(table)") }
        #expect(rows.count == other.rows.count)
        #expect(sequences == other.sequences, "\(subject)")
    }
}
