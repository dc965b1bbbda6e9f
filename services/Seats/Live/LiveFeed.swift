import Contracts
import FoundationEssentials
import Logging
import NIOCore
import Postgres
import ServiceKit
import ServiceLifecycle
import Sockets

/// Delivers messages of the database to the sockets of this process. Every replica delivers every message of a topic in
/// commit order.
///
/// An announcement says that a topic has a new message. The topic is then read from the last delivered message on, so
/// that lost and reordered announcements leave no gap; the topics of recent messages are read without one, too, in case
/// that a replica died between a commit and its announcement. Messages about cars go to `CarViews`, all others to the
/// hub.
actor LiveFeed: Service {
    private let database: PostgresClient
    private let hub: STOMPHub
    private let watched: AsyncStream<LiveTopic>
    private let views: CarViews
    private let sessions: LiveSessions
    private let logger: Logger
    private let store = LiveStore()
    /// The last delivered message of each topic with subscribers, except for cars.
    private var cursors: [String: LiveMessageID] = [:]
    /// Topics that may have new messages.
    private var due: Set<LiveTopic> = []
    private let reading = AsyncSignal()
    /// Cars whose seat maps are being read.
    private var loading: Set<CarAddress> = []
    private var hasListened = false
    private let deliveries = DeliveryBatches()

    /// The time between two looks for messages and ends of sessions without an announcement.
    private static let sweep = Duration.seconds(5)
    /// A message is committed in less than this time after it was written, in seconds.
    private static let longestTransaction = 20.0
    /// The maximum number of messages of a topic in one query, and of topics.
    private static let page = 200
    private static let topicLimit = 500

    /// - Parameter watched: The topics that have got a first subscriber.
    init(
        database: PostgresClient,
        hub: STOMPHub,
        watched: AsyncStream<LiveTopic>,
        views: CarViews,
        sessions: LiveSessions,
        logger: Logger
    ) {
        self.database = database
        self.hub = hub
        self.watched = watched
        self.views = views
        self.sessions = sessions
        self.logger = logger
    }

    func run() async throws {
        let sweeps = PeriodicJob("live messages", every: Self.sweep) {
            try await self.sweep()
            return false
        }
        await cancelWhenGracefulShutdown { [self] in
            await withDiscardingTaskGroup { group in
                group.addTask { await self.markDeliveries() }
                group.addTask { await self.read() }
                group.addTask { await self.readWatched() }
                group.addTask { await withLogger(self.logger) { _ in await sweeps.run() } }
                await self.listen()
                group.cancelAll()
            }
        }
    }

    private func listen() async {
        for await notification in database.announcer.notifications(on: LiveNotification.channel) {
            switch notification {
            case .listening: await resume()
            case .message(let text): await handle(text)
            }
        }
    }

    /// - Throws: `NotListening` until the listener is connected. Before that, a revoked session would keep its socket.
    func checkListening() throws(NotListening) {
        guard hasListened else { throw NotListening() }
    }

    struct NotListening: Error {}

    // MARK: Announcements

    private func handle(_ text: String) async {
        switch LiveNotification(text: text) {
        case .written(_, let topic): readLater([topic])
        case .watched(let account, let car): await sessions.turn(account, to: car)
        case .revoked(let account, let session): sessions.close(account: account, session: session)
        case nil: break
        }
    }

    /// Begins to deliver the messages of a topic after one. Its subscribers must be held by the hub.
    func follow(_ topic: LiveTopic, after id: LiveMessageID) {
        // A message after it may have been announced already.
        if cursors[topic.name] == nil { readLater([topic]) }
        cursors[topic.name] = cursors[topic.name] ?? id
    }

    /// Reads what was not announced here before a topic had subscribers.
    private func readWatched() async {
        for await topic in watched {
            await database.announcer.confirmWatches()
            readLater([topic])
        }
    }

    private func readLater(_ topics: some Sequence<LiveTopic>) {
        due.formUnion(topics)
        reading.wake()
    }

    /// Reads what may have been missed without a listener, until it succeeds.
    private func resume() async {
        hasListened = true
        readLater(cursors.keys.compactMap { LiveTopic(name: $0) })
        while !Task.isCancelled {
            do {
                try await views.compare()
                return try await compareSessions()
            } catch {
                logger.warning("live feed: reading the state failed, will retry", error: error)
                try? await Task.sleep(for: .milliseconds(500))
            }
        }
    }

    // MARK: Without announcements

    private func sweep() async throws {
        let subscribed = hub.topics
        cursors = cursors.filter { subscribed.contains($0.key) }
        let recent = Self.sweep / .seconds(1) + Self.longestTransaction
        let topics = try await store.topics(ofLastSeconds: recent, in: database)
        readLater(topics.compactMap { LiveTopic(name: $0) })
        try await compareSessions()
    }

    /// Closes the sockets of ended sessions, and shows the passengers the cars that they watch.
    private func compareSessions() async throws {
        let connected = sessions.passengers
        guard !connected.isEmpty else { return }
        for passenger in try await PassengerStore().unwelcome(among: connected, in: database) {
            sessions.close(account: passenger.account, session: passenger.session)
        }
        for (account, car) in try await CarStore().watchedCars(of: connected.map(\.account), in: database) {
            await sessions.turn(account, to: car)
        }
    }

    // MARK: Reading

    /// Reads the topics that are due, several in one query.
    private func read() async {
        while !Task.isCancelled {
            let topics = Array(due.prefix(Self.topicLimit))
            guard !topics.isEmpty else {
                await reading.sleep(atMost: .seconds(60))
                continue
            }
            due.subtract(topics)
            do {
                try await read(topics)
            } catch {
                guard !Task.isCancelled else { return }
                logger.warning("live feed: reading messages failed, will retry", error: error)
                due.formUnion(topics)
                try? await Task.sleep(for: .milliseconds(500))
            }
        }
    }

    private func read(_ topics: [LiveTopic]) async throws {
        var positions: [(topic: String, id: LiveMessageID)] = []
        for topic in topics {
            if let through = await position(of: topic) { positions.append((topic.name, through)) }
        }
        guard !positions.isEmpty else { return }
        let messages = try await store.messages(after: positions, limit: Self.page, in: database)
        var counts: [LiveTopic: Int] = [:]
        for message in messages {
            guard let topic = LiveTopic(name: message.topic) else { continue }
            counts[topic, default: 0] += 1
            try await deliver(message, on: topic)
        }
        readLater(counts.filter { $0.value == Self.page }.keys)
    }

    /// The last delivered message of a topic; nil for a topic without subscribers, and for one whose first state is
    /// still being read, after which it is due again.
    private func position(of topic: LiveTopic) async -> LiveMessageID? {
        guard case .car(let car) = topic else {
            if !hub.hasSubscribers(topic.name) { cursors[topic.name] = nil }
            return cursors[topic.name]
        }
        switch await views.position(of: car) {
        case .at(let id): return id
        case .unwatched: break
        case .unread: load(car)
        }
        return nil
    }

    /// Reads a seat map beside the other topics, which do not wait for it.
    private func load(_ car: CarAddress) {
        guard loading.insert(car).inserted else { return }
        Task {
            do {
                try await views.show(car)
            } catch {
                logger.warning("live feed: reading the seats of a car failed, will retry", error: error)
                try? await Task.sleep(for: .milliseconds(500))
            }
            loading.remove(car)
            readLater([.car(car)])
        }
    }

    private func deliver(_ message: StoredMessage, on topic: LiveTopic) async throws {
        if case .car(let car) = topic { return try await views.apply(message, to: car) }
        guard let cursor = cursors[message.topic], cursor < message.id else { return }
        cursors[message.topic] = message.id
        guard let frame = frame(of: message, on: topic) else { return }
        withDeliverySpan(
            "STOMP MESSAGE",
            following: message.trace,
            destination: message.topic,
            id: "\(message.id)"
        ) { hub.publish(frame, to: message.topic) }
    }

    /// A message to one passenger; nil for an invalid one.
    private nonisolated func frame(of message: StoredMessage, on topic: LiveTopic) -> STOMPMessage? {
        guard let body = LivePayload.body(of: message) else { return nil }
        return topic.isAlerted
            ? addressed(id: message.id, body: body)
            : STOMPMessage(id: message.id.rawValue, body: ByteBuffer(string: body))
    }

    /// A message to one passenger, recorded as delivered once it is written to a socket.
    nonisolated func addressed(id: LiveMessageID, body: String) -> STOMPMessage {
        STOMPMessage(id: id.rawValue, body: ByteBuffer(string: body)) { [deliveries] in deliveries.add(id) }
    }

    // MARK: Moved sockets

    /// The messages of a topic after one, which another copy has delivered last.
    nonisolated func messages(of topic: LiveTopic, after id: LiveMessageID) async throws -> [STOMPMessage] {
        var (frames, last) = ([STOMPMessage](), id)
        while true {
            let page = try await store.messages(after: [(topic.name, last)], limit: Self.page, in: database)
            frames += page.compactMap { frame(of: $0, on: topic) }
            guard let end = page.last?.id, page.count == Self.page else { return frames }
            last = end
        }
    }

    /// The seat maps of a train's cars with messages that another copy may not have delivered.
    nonisolated func changedCars(of train: TrainCode) async throws -> [STOMPMessage] {
        let recent = Self.sweep / .seconds(1) + Self.longestTransaction + Double(SocketMove.time)
        var maps: [STOMPMessage] = []
        for topic in try await store.topics(ofLastSeconds: recent, in: database) {
            guard case .car(let car) = LiveTopic(name: topic), car.train == train else { continue }
            maps.append(try await views.snapshot(of: car))
        }
        return maps
    }

    private func markDeliveries() async {
        await deliveries.run {
            try await store.markDelivered($0, in: database)
        } failed: { error in
            logger.warning("live feed: recording deliveries failed, will retry", error: error)
        }
    }
}
