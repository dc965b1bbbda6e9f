import Synchronization

/// Open connections that a closed client has left for the next one with the same configuration.
///
/// Opening a connection costs the server some 20 ms of processor time, until it has read its catalog and planned its
/// statements. Programs with thousands of short-lived clients, such as tests, set one cache in the configurations of
/// all.
package final class ConnectionCache: Sendable {
    /// The properties that two interchangeable connections share.
    struct Key: Hashable {
        var purpose: PostgresConnector.Purpose
        var parameters: [String: String]
    }

    private let kept = Mutex<[Key: [PostgresConnection]]>([:])

    package init() {}

    @PostgresLoop
    func take(_ key: Key) -> PostgresConnection? {
        while let connection = kept.withLock({ $0[key]?.popLast() }) {
            if connection.isClean { return connection }
            connection.close()
        }
        return nil
    }

    @PostgresLoop
    func keep(_ connection: PostgresConnection, as key: Key) {
        connection.observe(PostgresConnection.Observer())
        kept.withLock { $0[key, default: []].append(connection) }
    }

    /// The server processes of the connections in the cache (`pg_stat_activity.pid`).
    package var processIDs: [Int32] {
        get async { await identify(kept.withLock { $0.values.flatMap(\.self) }) }
    }

    /// Closes the connections in the cache.
    package func close() async {
        let connections = kept.withLock { kept in
            defer { kept = [:] }
            return kept.values.flatMap(\.self)
        }
        for connection in connections { await connection.close() }
    }

    @PostgresLoop
    private func identify(_ connections: [PostgresConnection]) -> [Int32] {
        connections.compactMap(\.processID)
    }
}
