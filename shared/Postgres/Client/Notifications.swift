import Logging
import Values

/// An event of a subscription to a channel.
package enum PostgresNotification: Sendable, Equatable {
    /// Listening has begun; earlier notifications may have been missed.
    case listening
    /// The payload of a notification on the channel.
    case message(String)
}

/// Receives notifications on one connection for all subscribers of the process, and reconnects when the connection is
/// lost. Announcements are sent on the same connection.
///
/// Whenever the subscriptions change or the connection is lost, it reconciles the channels that the server listens on
/// with those of the subscribers.
@PostgresLoop
final class NotificationListener {
    private let loop = PostgresEventLoop.shared

    private let connector: PostgresConnector
    private let logger: Logger
    private var subscribers = NotificationSubscribers()
    private var connection: PostgresConnection?
    private var opening: Task<PostgresConnection, any Error>?
    /// The channels that the server has confirmed on this connection.
    private var active: Set<String> = []
    private var backoff = Backoff.connecting
    private var hasEnded = false
    private let changes: AsyncStream<Void>
    private let change: AsyncStream<Void>.Continuation

    nonisolated init(_ connector: PostgresConnector, logger: Logger) {
        self.connector = connector
        self.logger = logger
        (changes, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    // MARK: Subscribers

    nonisolated func subscribe(to channel: String) -> AsyncStream<PostgresNotification> {
        AsyncStream(bufferingPolicy: .bufferingNewest(NotificationSubscribers.bufferSize)) { subscriber in
            PostgresEventLoop.shared.execute { self.add(subscriber, to: channel) }
        }
    }

    private func add(_ subscriber: NotificationSubscribers.Subscriber, to channel: String) {
        guard !hasEnded else { return subscriber.finish() }
        let id = subscribers.add(subscriber, to: channel)
        subscriber.onTermination = { [loop, weak self] _ in
            loop.execute { [weak self] in self?.remove(id, from: channel) }
        }
        if active.contains(channel) { subscriber.yield(.listening) }
        change.yield()
    }

    private func remove(_ id: UInt64, from channel: String) {
        subscribers.remove(id, from: channel)
        change.yield()
    }

    // MARK: Connection

    /// Listens until the task is cancelled, then ends all subscriptions.
    func run() async {
        change.yield()
        for await _ in changes {
            do {
                try await reconcile()
            } catch is CancellationError {
                break
            } catch {
                logger.warning("postgres LISTEN: failed, will retry", error: error)
                loop.schedule(after: backoff.next()) { [change] in change.yield() }
            }
        }
        hasEnded = true
        if let connection, active.isEmpty { connector.release(connection) } else { connection?.close() }
        for subscriber in subscribers.all { subscriber.finish() }
    }

    private func reconcile() async throws {
        guard connection != nil || !subscribers.channels.isEmpty else { return }
        let connection = try await openConnection()
        let wanted = subscribers.channels
        let added = wanted.subtracting(active)
        let dropped = active.subtracting(wanted)
        let statements: [SQL] =
            added.map { "LISTEN \(identifier: $0)" } + dropped.map { "UNLISTEN \(identifier: $0)" }
        guard !statements.isEmpty else { return }
        try await connection.run(statements)
        guard self.connection === connection else { return }
        active = wanted
        backoff.reset()
        for channel in added { subscribers.deliver(.listening, on: channel) }
    }

    /// The connection, opened if needed.
    func openConnection() async throws -> PostgresConnection {
        if let connection { return connection }
        if let opening { return try await opening.value }
        let opening = Task { try await open() }
        self.opening = opening
        defer { self.opening = nil }
        return try await opening.value
    }

    private func open() async throws -> PostgresConnection {
        let connection = try await connector.connect(for: .listening)
        guard !hasEnded else {
            connector.release(connection)
            throw CancellationError()
        }
        self.connection = connection
        connection.observe(
            .init(
                onClose: { [weak self] reason in self?.lost(reason) },
                onNotification: { [weak self] channel, payload in
                    self?.subscribers.deliver(.message(payload), on: channel)
                }
            )
        )
        change.yield()
        return connection
    }

    private func lost(_ reason: PostgresError) {
        connection = nil
        active = []
        guard !hasEnded else { return }
        logger.warning("postgres LISTEN: connection lost", metadata: ["reason": "\(reason.message)"])
        loop.schedule(after: backoff.next()) { [change] in change.yield() }
    }
}
