import Logging
import Postgres
package import StackKit

/// Connections of an administrator to one database.
struct Administrator: Sendable {
    let url: ServerURL
    /// The name of the connections in `pg_stat_activity`, by which another command finds what a killed one has left.
    let name: String
    /// The time after which a server that does not answer is considered dead; nil to wait for ever.
    var answerTimeout: Duration?

    /// Connects while `body` runs.
    ///
    /// - Throws: `StackError` if the server cannot be used.
    func connect<Value: Sendable>(_ body: (PostgresClient) async throws -> Value) async throws -> Value {
        var configuration: PostgresConfiguration
        do {
            configuration = try PostgresConfiguration(url: url.text, applicationName: name)
        } catch {
            throw StackError(error.description)
        }
        // Copies take long, and the command decides itself what it repeats.
        configuration.statementTimeout = .zero
        configuration.answerTimeout = answerTimeout
        configuration.lockTimeout = .zero
        configuration.idleTransactionTimeout = .zero
        configuration.transactionAttempts = 1
        let client = PostgresClient(configuration, logger: Logger(label: name) { _ in SwiftLogNoOpLogHandler() })
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await client.run() }
            defer { group.cancelAll() }
            do {
                _ = try await client.value("SELECT 1::bigint", as: Int.self)
            } catch let error as PostgresError {
                throw StackError("\(url.place) cannot be used: \(error.message)")
            }
            return try await body(client)
        }
    }
}

extension ServicePlace {
    /// Connects as the service does.
    ///
    /// - Throws: `StackError` if the server cannot be used.
    package func require() async throws {
        try await Administrator(url: ServerURL(role), name: "stack").connect { _ in }
    }
}

/// What a move creates on both servers has one name: a schema, a publication, a subscription and a slot.
struct MoveNames: Sendable {
    let service: String

    var own: String { "move_\(service)" }
    /// The `pg_stat_activity.application_name` of the command that moves.
    var moving: String { "move \(service)" }
    /// That of a command that ends what another one has begun.
    var settling: String { "settle \(service)" }
}

extension SQL {
    /// A statement that takes no parameters, such as `ALTER ROLE`.
    init(text: String) {
        self.init(stringLiteral: text)
    }

    static func quoted(_ text: String) -> String {
        "'\(text.replacing("'", with: "''"))'"
    }
}

extension Querying {
    func value<Value: PostgresDecodable>(_ sql: SQL, as type: Value.Type = Value.self) async throws -> Value {
        try await one(sql) { try $0.decode(Value.self) }
    }
}
