import CoreMetrics
import DequeModule

/// Connections for writes and transactions, each used exclusively by one caller at a time. They are opened as needed up to a
/// limit; when all are in use, callers wait in order. One that is not used for a while is closed.
///
/// At most half of them are used for one key, for example a post, so that others do not wait while many wait for its row.
@PostgresLoop
final class LeasedConnections {
    private let connector: PostgresConnector
    private let purpose: PostgresConnector.Purpose
    private let metrics: PostgresMetrics
    private let limit: Int
    private var inUse = 0
    /// The one used last is the last.
    private var idle: [(connection: PostgresConnection, since: ContinuousClock.Instant)] = []
    private var closing: LoopTimers.ID?
    private var inUseByKey: [String: Int] = [:]
    private var line: Deque<(key: String?, turn: SharedPromise<Void>)> = []
    private var isClosed = false

    /// - Parameter limit: The maximum number of connections.
    nonisolated init(
        _ connector: PostgresConnector,
        for purpose: PostgresConnector.Purpose,
        limit: Int,
        metrics: PostgresMetrics
    ) {
        self.connector = connector
        self.purpose = purpose
        self.limit = limit
        self.metrics = metrics
    }

    /// Runs `body` with a connection for exclusive use.
    nonisolated func withLease<Value>(
        for key: String? = nil,
        _ body: (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        let connection = try await lease(for: key)
        let outcome: Result<Value, any Error>
        do {
            outcome = .success(try await body(connection))
        } catch {
            outcome = .failure(error)
        }
        await giveBack(connection, of: key)
        return try outcome.get()
    }

    /// A connection for exclusive use, which the caller must give back.
    ///
    /// - Throws: `PostgresError` (`unavailable`) if none is free within `leaseTimeout`, or the server cannot be reached
    ///   within `connectTimeout`.
    private func lease(for key: String?) async throws -> PostgresConnection {
        guard !isClosed else { throw PostgresError(.closed, "The client has ended") }
        try await takeTurn(for: key)
        do {
            return try await connector.connectPatiently(for: purpose, orUse: takeIdle)
        } catch {
            passTurn(of: key)
            throw error
        }
    }

    private func takeIdle() -> PostgresConnection? {
        while let (connection, _) = idle.popLast() {
            if connection.isClean { return connection }
        }
        return nil
    }

    /// Takes a connection back for reuse, or closes it if it is not clean.
    private func giveBack(_ connection: PostgresConnection, of key: String?) {
        if !isClosed, connection.isClean {
            idle.append((connection, .now))
            closeUnusedLater()
        } else {
            connector.release(connection)
        }
        passTurn(of: key)
    }

    private func closeUnusedLater() {
        guard closing == nil, let first = idle.first else { return }
        let end = first.since + connector.configuration.idleLeaseTimeout
        closing = PostgresEventLoop.shared.schedule(after: end - .now) { [weak self] in self?.closeUnused() }
    }

    private func closeUnused() {
        closing = nil
        let used = ContinuousClock.now - connector.configuration.idleLeaseTimeout
        for (connection, _) in idle.prefix(while: { $0.since <= used }) { connector.release(connection) }
        idle.removeAll { $0.since <= used }
        closeUnusedLater()
    }

    private func takeTurn(for key: String?) async throws {
        if isFree(for: key) { return use(key) }
        let turn = SharedPromise<Void>()
        line.append((key, turn))
        metrics.waitingForLease.record(line.count)
        let timeout = connector.configuration.leaseTimeout
        let timer = PostgresEventLoop.shared.schedule(after: timeout) { [limit, purpose] in
            turn.promise.settle(
                .failure(
                    PostgresError(
                        .unavailable,
                        "All \(limit) connections for \(purpose.rawValue) were busy for \(timeout)"
                    )
                )
            )
        }
        defer { PostgresEventLoop.shared.cancel(timer) }
        try await turn.promise.value()
    }

    private func isFree(for key: String?) -> Bool {
        guard inUse < limit else { return false }
        return key.map { inUseByKey[$0, default: 0] < max(1, limit / 2) } ?? true
    }

    private func use(_ key: String?) {
        inUse += 1
        if let key { inUseByKey[key, default: 0] += 1 }
    }

    private func passTurn(of key: String?) {
        inUse -= 1
        if let key {
            let left = (inUseByKey[key] ?? 1) - 1
            inUseByKey[key] = left > 0 ? left : nil
        }
        line.removeAll { !$0.turn.promise.isOpen }
        while inUse < limit, let next = line.firstIndex(where: { isFree(for: $0.key) }) {
            let (key, turn) = line.remove(at: next)
            if turn.promise.settle(.success(())) { use(key) }
        }
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
        for (connection, _) in idle { connector.release(connection) }
        idle = []
    }
}
