import Postgres
package import StackKit

/// Locks on both servers, so that one command at a time moves a service from or to them. A server releases its lock when
/// the command ends for any reason.
package struct MoveLock: Sendable {
    private let names: MoveNames
    private let servers: [ServerURL]

    package init(_ service: String, on servers: [ServerURL]) {
        names = MoveNames(service: service)
        self.servers = servers.map { $0.of(database: "postgres") }
    }

    /// Runs `body` with the locks.
    ///
    /// - Throws: `StackError` if another command has one of them.
    package func hold(_ body: () async throws -> Void) async throws {
        try await hold(servers[...], body)
    }

    private func hold(_ servers: ArraySlice<ServerURL>, _ body: () async throws -> Void) async throws {
        guard let server = servers.first else { return try await body() }
        try await Administrator(url: server, name: names.own).connect { client in
            try await client.transaction { transaction in
                let isOurs = try await transaction.value(
                    "SELECT pg_try_advisory_xact_lock(hashtextextended(\(names.own), 0))",
                    as: Bool.self
                )
                guard isOurs else {
                    throw StackError("another command moves \(names.service) from or to \(server.place)")
                }
                try await hold(servers.dropFirst(), body)
            }
        }
    }
}
