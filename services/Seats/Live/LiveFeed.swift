import FoundationEssentials
import Logging
import NIOCore
import Postgres
import STOMP
import ServiceLifecycle

/// Carries what is announced in the database to the sockets of this process. Every copy of the service hears every message
/// in the order of commits, so their sockets show one history.
///
/// Of a car that somebody here looks at it keeps the text of the seats, and brings it up to date message by message; of
/// everything else it passes the messages on. What was missed while the connection that listens was lost is read from the
/// table when it is back.
actor LiveFeed: Service {
    private enum View {
        /// Being read; what is announced meanwhile waits.
        case loading(Task<SeatMapText?, any Error>, kept: [(id: Int64, changes: [SeatChange])])
        case ready(Shown)
    }

    /// A car's seats, and the message that tells of them: made once, however many ask.
    private struct Shown {
        let text: SeatMapText
        let message: STOMPMessage

        init(_ text: SeatMapText) {
            self.text = text
            message = STOMPMessage(id: text.through, body: ByteBuffer(string: text.text))
        }
    }

    private let database: PostgresClient
    private let hub: STOMPHub
    private let sessions: LiveSessions
    private let logger: Logger
    private let cars = CarStore()
    private let store = LiveStore()
    private var views: [CarAddress: View] = [:]
    /// When something was last heard, and what: to tell what has been missed from what has not.
    private var lastHeard = Date.now
    private var heard = RecentIDs()
    private let deliveries = AsyncStream<Int64>.makeStream(bufferingPolicy: .bufferingNewest(4096))

    init(database: PostgresClient, hub: STOMPHub, sessions: LiveSessions, logger: Logger) {
        self.database = database
        self.hub = hub
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
                case .listening: try await readOn()
                case .message(let text): try await hear(text)
                }
            } catch {
                logger.warning("what was announced could not be read", error: error)
                await keepReadingOn()
            }
        }
    }

    /// Until the database answers again.
    private func keepReadingOn() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(500))
            if (try? await readOn()) != nil { return }
        }
    }

    // MARK: Cars

    /// The text of a car's seats as a message; nil for a car that nobody has asked for.
    ///
    /// Whoever asks has begun to hold the car's messages before, so that none is missed in between.
    func snapshot(of car: CarAddress) async throws -> STOMPMessage? {
        switch views[car] {
        case .ready(let shown): return shown.message
        case .loading(let task, _): return try await task.value.map(Shown.init)?.message
        case nil: return try await load(car)?.message
        }
    }

    private func load(_ car: CarAddress) async throws -> Shown? {
        let task = Task { [cars, database] in try await cars.seatMap(of: car, in: database).map(SeatMapText.init) }
        views[car] = .loading(task, kept: [])
        do {
            guard var text = try await task.value else {
                views[car] = nil
                return nil
            }
            if case .loading(_, let kept) = views[car] {
                for message in kept where message.id > text.through { text.apply(message.changes, id: message.id) }
            }
            let shown = Shown(text)
            views[car] = .ready(shown)
            return shown
        } catch {
            views[car] = nil
            throw error
        }
    }

    private func hear(_ message: KeptMessage, about car: CarAddress) async throws {
        let everyCar = LiveTopic.everyCar(of: car.train)
        let isWanted = hub.hasSubscribers(LiveTopic.car(car).name) || hub.hasSubscribers(everyCar)
        guard isWanted else {
            views[car] = nil
            return
        }
        let changes = try JSONDecoder().decode([SeatChange].self, from: Data(message.body.utf8))
        switch views[car] {
        case .loading(let task, var kept):
            kept.append((message.id, changes))
            views[car] = .loading(task, kept: kept)
            guard let text = try await task.value else { return }
            publish(Shown(text), of: car)
        case .ready(let shown):
            guard message.id > shown.text.through else { return }
            var text = shown.text
            text.apply(changes, id: message.id)
            let next = Shown(text)
            views[car] = .ready(next)
            publish(next, of: car)
        case nil:
            guard let shown = try await load(car) else { return }
            publish(shown, of: car)
        }
    }

    private func publish(_ shown: Shown, of car: CarAddress) {
        hub.publish(shown.message, to: LiveTopic.car(car).name)
        hub.publish(shown.message, to: LiveTopic.everyCar(of: car.train))
    }

    // MARK: Hearing

    private func hear(_ text: String) async throws {
        lastHeard = .now
        if let notice = LiveNotice(text: text) { return await sessions.hear(notice, feed: self) }
        let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let id = Int64(parts[0]), let topic = LiveTopic(name: parts[1]) else { return }
        guard parts[2].isEmpty else {
            return try await hear(KeptMessage(id: id, topic: String(parts[1]), body: String(parts[2])), on: topic)
        }
        guard let message = try await store.message(id: id, in: database) else { return }
        try await hear(message, on: topic)
    }

    private func hear(_ message: KeptMessage, on topic: LiveTopic) async throws {
        if case .car(let car) = topic { return try await hear(message, about: car) }
        guard heard.insert(message.id), hub.hasSubscribers(message.topic), let body = LivePayload.body(of: message)
        else { return }
        hub.publish(addressed(id: message.id, body: body), to: message.topic)
    }

    /// A message to one passenger, remembered as told once it has been written to a socket.
    nonisolated func addressed(id: Int64, body: String) -> STOMPMessage {
        STOMPMessage(id: id, body: ByteBuffer(string: body)) { [deliveries] in deliveries.continuation.yield(id) }
    }

    private func markDeliveries() async {
        for await id in deliveries.stream {
            do {
                try await store.markDelivered(id, in: database)
            } catch {
                logger.warning("a delivery could not be noted", error: error)
            }
        }
    }

    /// Reads what was announced while nobody listened.
    private func readOn() async throws {
        let missed = Date.now.timeIntervalSince(lastHeard) + 10
        let topics = hub.topics
        for message in try await store.messages(on: Array(topics), lastSeconds: missed, in: database) {
            guard let topic = LiveTopic(name: message.topic) else { continue }
            try await hear(message, on: topic)
        }
        for car in views.keys { try await compare(car) }
        lastHeard = .now
    }

    /// Shows a car as the database has it, if that differs from what was shown.
    private func compare(_ car: CarAddress) async throws {
        guard case .ready(let shown) = views[car], let map = try await cars.seatMap(of: car, in: database),
            case .ready(let now) = views[car], now.text.through == shown.text.through
        else { return }
        let next = Shown(SeatMapText(map))
        views[car] = .ready(next)
        if next.text.text != shown.text.text { publish(next, of: car) }
    }
}

/// Ids that were seen lately.
private struct RecentIDs {
    private var ids: Set<Int64> = []
    private var order: [Int64] = []
    private static let limit = 4096

    /// - Returns: false for one that was seen before.
    mutating func insert(_ id: Int64) -> Bool {
        guard ids.insert(id).inserted else { return false }
        order.append(id)
        if order.count > Self.limit {
            for old in order.prefix(Self.limit / 2) { ids.remove(old) }
            order.removeFirst(Self.limit / 2)
        }
        return true
    }
}
