import CoreMetrics
import DequeModule

/// Connections that one user at a time has to itself, for transactions. Opened as needed up to a limit; when all are in
/// use, callers wait in line.
@PostgresLoop
final class LeasedConnections {
    private let connector: PostgresConnector
    private let metrics: PostgresMetrics
    private let limit: Int
    private var inUse = 0
    private var idle: [PostgresConnection] = []
    private var line: Deque<SharedPromise<Void>> = []
    private var isClosed = false

    nonisolated init(_ connector: PostgresConnector, metrics: PostgresMetrics) {
        self.connector = connector
        self.metrics = metrics
        self.limit = connector.configuration.leasedConnections
    }

    /// A connection for the caller alone, who must give it back.
    ///
    /// - Throws: `PostgresError` (`unavailable`) when none is free, or the server not there, within `connectTimeout`.
    func lease() async throws -> PostgresConnection {
        guard !isClosed else { throw PostgresError(.closed, "The client has ended") }
        try await takeTurn()
        while let connection = idle.popLast() {
            if connection.isClean { return connection }
        }
        do {
            return try await connector.connectPatiently(for: .leasing)
        } catch {
            passTurn()
            throw error
        }
    }

    /// Takes a connection back: for the next user when nothing is left on it, or else it is closed.
    func giveBack(_ connection: PostgresConnection) {
        if !isClosed, connection.isClean { idle.append(connection) } else { connector.release(connection) }
        passTurn()
    }

    private func takeTurn() async throws {
        if inUse < limit {
            inUse += 1
            return
        }
        let turn = SharedPromise<Void>()
        line.append(turn)
        metrics.waitingForLease.record(line.count)
        let patience = connector.configuration.connectTimeout
        let timer = PostgresEventLoop.shared.schedule(after: patience) { [limit] in
            turn.promise.settle(
                .failure(
                    PostgresError(.unavailable, "All \(limit) connections for transactions were busy for \(patience)")
                )
            )
        }
        defer { PostgresEventLoop.shared.cancel(timer) }
        try await turn.promise.value()
    }

    private func passTurn() {
        while let next = line.popFirst() {
            if next.promise.settle(.success(())) { return }
        }
        inUse -= 1
    }

    /// Waits until every connection is back.
    func drain() async {
        while inUse > 0 {
            guard (try? await Task.sleep(for: .milliseconds(5))) != nil else { return }
        }
    }

    /// Refuses new leases and closes what is idle.
    func close() {
        isClosed = true
        for connection in idle { connector.release(connection) }
        idle = []
    }
}
