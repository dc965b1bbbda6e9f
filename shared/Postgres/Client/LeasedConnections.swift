import CoreMetrics
import DequeModule

/// Connections for transactions, each used exclusively by one caller at a time. They are opened as needed up to a
/// limit; when all are in use, callers wait in order.
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

    /// A connection for exclusive use, which the caller must give back.
    ///
    /// - Throws: `PostgresError` (`unavailable`) if none is free within `leaseTimeout`, or the server cannot be reached
    ///   within `connectTimeout`.
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

    /// Takes a connection back for reuse, or closes it if it is not clean.
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
        let timeout = connector.configuration.leaseTimeout
        let timer = PostgresEventLoop.shared.schedule(after: timeout) { [limit] in
            turn.promise.settle(
                .failure(
                    PostgresError(.unavailable, "All \(limit) connections for transactions were busy for \(timeout)")
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

    /// Waits until every connection has been given back.
    func drain() async {
        while inUse > 0 {
            guard (try? await Task.sleep(for: .milliseconds(5))) != nil else { return }
        }
    }

    /// Refuses new leases and closes idle connections.
    func close() {
        isClosed = true
        for connection in idle { connector.release(connection) }
        idle = []
    }
}
