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
    private typealias Subscriber = AsyncStream<PostgresNotification>.Continuation

    private let connector: PostgresConnector
    private let logger: Logger
    private var subscribers: [String: [UInt64: Subscriber]] = [:]
    private var lastSubscriber: UInt64 = 0
    private var connection: PostgresConnection?
    private var opening: Task<PostgresConnection, any Error>?
    /// The channels that the server has confirmed on this connection.
    private var active: Set<String> = []
    private var backoff = Backoff.connecting
    private var hasEnded = false
    private let changes: AsyncStream<Void>
    private let change: AsyncStream<Void>.Continuation

    /// The maximum number of notifications buffered for a slow subscriber. Beyond that the oldest are dropped, and the
    /// subscriber receives `listening`, so that it reloads its state.
    private nonisolated static let bufferSize = 1024

    nonisolated init(_ connector: PostgresConnector, logger: Logger) {
        self.connector = connector
        self.logger = logger
        (changes, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    // MARK: Subscribers

    nonisolated func subscribe(to channel: String) -> AsyncStream<PostgresNotification> {
        AsyncStream(bufferingPolicy: .bufferingNewest(Self.bufferSize)) { subscriber in
            PostgresEventLoop.shared.execute { self.add(subscriber, to: channel) }
        }
    }

    private func add(_ subscriber: Subscriber, to channel: String) {
        guard !hasEnded else { return subscriber.finish() }
        lastSubscriber += 1
        let id = lastSubscriber
        subscribers[channel, default: [:]][id] = subscriber
        subscriber.onTermination = { [loop, weak self] _ in
            loop.execute { [weak self] in self?.remove(id, from: channel) }
        }
        if active.contains(channel) { subscriber.yield(.listening) }
        change.yield()
    }

    private func remove(_ id: UInt64, from channel: String) {
        subscribers[channel]?[id] = nil
        if subscribers[channel]?.isEmpty == true { subscribers[channel] = nil }
        change.yield()
    }

    private func deliver(_ notification: PostgresNotification, on channel: String) {
        for subscriber in (subscribers[channel] ?? [:]).values {
            if case .dropped = subscriber.yield(notification) { subscriber.yield(.listening) }
        }
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
        for subscriber in subscribers.values.flatMap(\.values) { subscriber.finish() }
    }

    private func reconcile() async throws {
        guard connection != nil || !subscribers.isEmpty else { return }
        let connection = try await openConnection()
        let wanted = Set(subscribers.keys)
        let added = wanted.subtracting(active)
        let dropped = active.subtracting(wanted)
        let statements: [SQL] =
            added.map { "LISTEN \(identifier: $0)" } + dropped.map { "UNLISTEN \(identifier: $0)" }
        guard !statements.isEmpty else { return }
        try await connection.run(statements)
        guard self.connection === connection else { return }
        active = wanted
        backoff.reset()
        for channel in added { deliver(.listening, on: channel) }
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
                    self?.deliver(.message(payload), on: channel)
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
