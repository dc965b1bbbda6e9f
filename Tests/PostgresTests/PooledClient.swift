/// The connection of a client to `TransactionPooler`.
final class PooledClient {
    private typealias Message = MessageSocket.Message

    private let socket: MessageSocket
    private let pooler: TransactionPooler
    private let id = UInt64.random(in: 0 ... .max)
    /// What the client has prepared, by its names: the message Parse without the name.
    private var statements: [String: [UInt8]] = [:]
    private var server: TransactionPooler.Server?
    /// The names that are being prepared on the server, in order, and whether the client has asked for that.
    private var preparing: [(name: String, isClients: Bool)] = []

    /// The start-up parameters that PgBouncer accepts.
    private static let accepted: Set = [
        "user", "database", "client_encoding", "application_name", "DateStyle", "TimeZone",
        "standard_conforming_strings",
    ]
    /// The beginnings of statements that need a session.
    private static let refused = [
        "LISTEN", "UNLISTEN", "DEALLOCATE", "PREPARE", "DISCARD", "LOAD", "SET SESSION", "CREATE TEMP", "RESET",
    ]

    init(_ socket: MessageSocket, of pooler: TransactionPooler) {
        self.socket = socket
        self.pooler = pooler
    }

    func serve() throws {
        defer {
            socket.close()
            // A transaction is open on it.
            server?.socket.close()
        }
        guard try start() else { return }
        while true {
            var group: [Message] = []
            repeat {
                let message = try socket.readMessage()
                if message.kind == "X" { return }
                group.append(message)
            } while group.last?.kind != "S" && group.last?.kind != "Q"
            try run(group)
        }
    }

    /// Answers the start-up message, without authentication.
    private func start() throws -> Bool {
        var body = try socket.readBody()
        // A client asks first whether there is TLS.
        while Array(body.prefix(4)) != MessageSocket.bytes(196_608) {
            try socket.write(Array("N".utf8))
            body = try socket.readBody()
        }
        let texts = MessageSocket.texts(Array(body.dropFirst(4)))
        for name in stride(from: 0, to: texts.count - 1, by: 2).map({ texts[$0] })
        where !name.isEmpty && !Self.accepted.contains(name) {
            let text = "unsupported startup parameter: \(name)"
            try socket.write([Message("E", MessageSocket.text("SFATAL", "VFATAL", "C08P01", "M\(text)") + [0])])
            return false
        }
        let parameters = ["server_version": "15.0", "client_encoding": "UTF8", "standard_conforming_strings": "on"]
        try socket.write(
            [Message("R", MessageSocket.bytes(0))]
                + parameters.map { Message("S", MessageSocket.text($0, $1)) }
                + [Message("K", MessageSocket.bytes(1) + MessageSocket.bytes(2)), Message("Z", Array("I".utf8))]
        )
        return true
    }

    /// Sends messages up to a synchronization to a server, and its answers to the client.
    private func run(_ group: [Message]) throws {
        var server = try server ?? pooler.take()
        self.server = server
        preparing = []
        try server.socket.write(group.flatMap { translated($0, for: server) })
        while true {
            let answer = try server.socket.readMessage()
            if answer.kind == "1", !preparing.isEmpty {
                let (name, isClients) = preparing.removeFirst()
                if !name.isEmpty { server.prepared.insert(name) }
                guard isClients else { continue }
            }
            try socket.write([answer])
            guard answer.kind == "Z" else { continue }
            self.server = answer.body == Array("I".utf8) ? nil : server
            if self.server == nil { pooler.giveBack(server) }
            return
        }
    }

    /// The message with the server's name of its statement, after one that prepares it if that is needed.
    private func translated(_ message: Message, for server: TransactionPooler.Server) -> [Message] {
        let texts = MessageSocket.texts(message.body)
        switch message.kind {
        case "Q":
            check(texts[0])
            return [message]
        case "P":
            check(texts[1])
            let rest = Array(message.body.dropFirst(texts[0].utf8.count + 1))
            guard !texts[0].isEmpty else {
                preparing.append(("", true))
                return [message]
            }
            if statements.updateValue(rest, forKey: texts[0]) != nil {
                pooler.report("prepared twice: \(texts[0])")
            }
            return [prepare(texts[0], rest, isClients: true)]
        case "B":
            let (portal, name) = (texts[0], texts[1])
            let rest = message.body.dropFirst(portal.utf8.count + name.utf8.count + 2)
            let bind = Message("B", MessageSocket.text(portal, own(name)) + rest)
            guard let statement = statements[name], !server.prepared.contains(own(name)),
                !preparing.contains(where: { $0.name == own(name) })
            else { return [bind] }
            return [prepare(name, statement, isClients: false), bind]
        default: return [message]
        }
    }

    private func prepare(_ name: String, _ rest: [UInt8], isClients: Bool) -> Message {
        preparing.append((own(name), isClients))
        return Message("P", MessageSocket.text(own(name)) + rest)
    }

    private func own(_ name: String) -> String { name.isEmpty ? "" : "\(id)_\(name)" }

    private func check(_ statement: String) {
        let text = statement.uppercased()
        let isOfSession =
            text.contains("PG_ADVISORY_LOCK") || text.contains("PG_TRY_ADVISORY_LOCK")
            || (text.hasPrefix("SET ") && !text.hasPrefix("SET LOCAL"))
        if isOfSession || Self.refused.contains(where: text.hasPrefix) { pooler.report(statement) }
    }
}
