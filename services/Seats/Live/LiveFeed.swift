import Contracts
import FoundationEssentials
import Logging
import NIOCore
import Postgres
import ServiceLifecycle
import Sockets

/// Delivers messages of the database to the sockets of this process. Every replica receives every message in commit
/// order.
///
/// Messages about cars go to `CarViews`, all others to the hub. After a lost connection of the listener, missed
/// messages are read from the table.
actor LiveFeed: Service {
    private let database: PostgresClient
    private let hub: STOMPHub
    private let views: CarViews
    private let sessions: LiveSessions
    private let logger: Logger
    private let store = LiveStore()
    /// Time and ids of the received messages, to detect missed and repeated ones.
    private var lastHeard = Date.now
    private var heard = RecentIDs()
    private var hasListened = false
    private let deliveries = DeliveryBatches()

    init(database: PostgresClient, hub: STOMPHub, views: CarViews, sessions: LiveSessions, logger: Logger) {
        self.database = database
        self.hub = hub
        self.views = views
        self.sessions = sessions
        self.logger = logger
    }

    func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            await withDiscardingTaskGroup { group in
                group.addTask { await self.markDeliveries() }
                await self.listen()
                group.cancelAll()
            }
        }
    }

    private func listen() async {
        let channel = LiveStore.channel(schema: database.configuration.schema)
        for await notification in database.notifications(on: channel) {
            do {
                switch notification {
                case .listening:
                    hasListened = true
                    try await readOn()
                case .message(let text): try await hear(text)
                }
            } catch {
                logger.warning("live feed: reading messages failed, will retry", error: error)
                await keepReadingOn()
            }
        }
    }

    /// - Throws: `NotListening` until the listener is connected. Before that, a revoked session would keep its socket.
    func checkListening() throws(NotListening) {
        guard hasListened else { throw NotListening() }
    }

    struct NotListening: Error {}

    /// Retries until the database is available.
    private func keepReadingOn() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(500))
            if (try? await readOn()) != nil { return }
        }
    }

    // MARK: Handling messages

    private func hear(_ text: String) async throws {
        lastHeard = .now
        switch LiveNotification(text: text) {
        case .watched(let account, let car): return await sessions.turn(account, to: car)
        case .revoked(let account, let session): return sessions.close(account: account, session: session)
        case nil: break
        }
        let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let id = LiveMessageID(parts[0]), let topic = LiveTopic(name: parts[1]) else { return }
        guard parts[2].isEmpty else {
            return try await hear(StoredMessage(id: id, topic: String(parts[1]), body: String(parts[2])), on: topic)
        }
        guard let message = try await store.message(id: id, in: database) else { return }
        try await hear(message, on: topic)
    }

    private func hear(_ message: StoredMessage, on topic: LiveTopic) async throws {
        if case .car(let car) = topic { return try await views.hear(message, about: car) }
        guard heard.insert(message.id), hub.hasSubscribers(message.topic), let body = LivePayload.body(of: message)
        else { return }
        let frame =
            topic.isAlerted
            ? addressed(id: message.id, body: body)
            : STOMPMessage(id: message.id.rawValue, body: ByteBuffer(string: body))
        hub.publish(frame, to: message.topic)
    }

    /// A message to one passenger, recorded as delivered once it is written to a socket.
    nonisolated func addressed(id: LiveMessageID, body: String) -> STOMPMessage {
        STOMPMessage(id: id.rawValue, body: ByteBuffer(string: body)) { [deliveries] in deliveries.add(id) }
    }

    private func markDeliveries() async {
        await deliveries.run {
            try await store.markDelivered($0, in: database)
        } failed: { error in
            logger.warning("live feed: recording deliveries failed, will retry", error: error)
        }
    }

    /// Reads the messages that were missed without a listener.
    private func readOn() async throws {
        let missed = Date.now.timeIntervalSince(lastHeard) + 10
        let topics = hub.topics
        for message in try await store.messages(on: Array(topics), lastSeconds: missed, in: database) {
            guard let topic = LiveTopic(name: message.topic) else { continue }
            try await hear(message, on: topic)
        }
        try await views.compare()
        try await readOnSessions()
        lastHeard = .now
    }

    /// Applies the missed transient notifications.
    private func readOnSessions() async throws {
        let connected = sessions.passengers
        guard !connected.isEmpty else { return }
        for passenger in try await PassengerStore().unwelcome(among: connected, in: database) {
            sessions.close(account: passenger.account, session: passenger.session)
        }
        for (account, car) in try await CarStore().watchedCars(of: connected.map(\.account), in: database) {
            await sessions.turn(account, to: car)
        }
    }
}
