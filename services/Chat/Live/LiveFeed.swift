import Contracts
import DequeModule
import Logging
import Postgres
import ServiceLifecycle
import Values

/// Delivers the events of rooms to the subscribers of this process, in sequence order and without gaps, and passes on
/// all notifications.
///
/// Events written by this replica are delivered directly; those of other replicas are announced, and read from the
/// tables unless the announcement has them. Every room with a local subscriber has a cursor, the number of the last
/// delivered event, and missing events are read from there: a lost or late notification only delays delivery. Rooms are
/// read side by side, several in one query, so that one that cannot be read delays no other.
actor LiveFeed: Service {
    nonisolated let hub: RoomHub
    nonisolated let recent = RecentEvents()
    private let database: PostgresClient
    private let logger: Logger
    private let readEvents: Read
    private let live = LiveStore()
    private var cursors: [RoomID: RoomCursor] = [:]
    /// Rooms with events to read.
    private var due: Deque<RoomID> = []
    /// Rooms that could not be read, with the number of attempts. Each is read alone.
    private var failures: [RoomID: Int] = [:]
    /// Number of concurrent queries.
    private var lanes = 0
    private var waiting: [RoomID: [CheckedContinuation<Int64, any Error>]] = [:]
    private var hasListened = false
    private var hasEnded = false
    private var handleNotification: (@Sendable (ChangeNotification) async -> Void)?
    private var handleMissed: (@Sendable () async throws -> Void)?

    private static let page = 500
    private static let laneLimit = 4
    private static let batchLimit = 32
    private static let backoff = Backoff(from: .milliseconds(20), to: .seconds(1))

    /// Reads the events after a number of each room, by room and in order; a page of each.
    typealias Read = @Sendable ([RoomPosition]) async throws -> [RoomEvent]

    /// - Parameter read: Replaced in tests.
    init(database: PostgresClient, logger: Logger, read: Read? = nil) {
        self.database = database
        self.logger = logger
        hub = RoomHub(database.announcer)
        self.readEvents = read ?? { try await MessageStore().events(after: $0, limit: Self.page, database) }
    }

    /// Sets the callbacks for every notification, and for every start of listening, before which notifications may have
    /// been lost. The second one is repeated when it throws.
    func onNotification(
        _ handle: @escaping @Sendable (ChangeNotification) async -> Void,
        missed: @escaping @Sendable () async throws -> Void
    ) {
        handleNotification = handle
        handleMissed = missed
    }

    func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            for await notification in database.announcer.notifications(on: ChangeNotification.channel) {
                switch notification {
                case .listening: await listeningBegan()
                case .message(let text): await handle(text)
                }
            }
        }
        hasEnded = true
    }

    /// - Throws: `NotListening` until the channel is subscribed. Before that, the revocation of a session would not
    ///   close its sockets.
    func checkListening() throws(NotListening) {
        guard hasListened else { throw NotListening() }
    }

    struct NotListening: Error {}

    private func listeningBegan() async {
        hasListened = true
        await resync()
    }

    // MARK: Subscriptions

    /// Subscribes a listener to a room. The listener receives every event after the returned number, and possibly some
    /// before it, which it must ignore.
    ///
    /// - Throws: `PostgresError`; the listener is not subscribed then.
    func subscribe(_ room: RoomID, _ listener: any RoomListener) async throws -> Int64 {
        let isFirst = hub.add(listener, to: room)
        do {
            await database.announcer.confirmWatches()
            // Announcements were not watched since the cursor moved last.
            let isOld = isFirst && cursors[room] != nil
            let through = try await position(of: room)
            if isOld { try await catchUp([room]) }
            return through
        } catch {
            hub.remove(listener, from: room)
            throw error
        }
    }

    nonisolated func unsubscribe(_ room: RoomID, _ listener: any RoomListener) {
        hub.remove(listener, from: room)
    }

    /// Number of the last delivered event.
    private func position(of room: RoomID) async throws -> Int64 {
        if let delivered = cursors[room]?.delivered { return delivered }
        guard cursors[room] == nil else {
            return try await withCheckedThrowingContinuation { waiting[room, default: []].append($0) }
        }
        removeUnused()
        cursors[room] = .locating(announced: 0)
        let outcome: Result<Int64, any Error>
        do {
            let through = try await live.sequences(of: [room], in: database).first?.through ?? 0
            let announced = cursors[room, default: .locating(announced: 0)].locate(at: through)
            outcome = .success(through)
            advance(room, through: announced)
        } catch {
            cursors[room] = nil
            outcome = .failure(error)
        }
        for continuation in waiting.removeValue(forKey: room) ?? [] { continuation.resume(with: outcome) }
        return try outcome.get()
    }

    /// Removes the cursors of rooms without subscribers.
    private func removeUnused(all: Bool = false) {
        guard all || (cursors.count >= 64 && cursors.count.isMultiple(of: 64)) else { return }
        let subscribed = hub.subscribedRooms
        cursors = cursors.filter { room, cursor in
            if case .at = cursor { subscribed.contains(room) } else { true }
        }
    }

    // MARK: Notifications

    /// Delivers events that this replica has written, or received whole: directly when no earlier event is missing.
    nonisolated func publish(_ events: [RoomEvent]) async {
        recent.append(events)
        await deliver(events)
    }

    private func deliver(_ events: [RoomEvent]) {
        for event in events {
            let room = event.message.room
            if cursors[room]?.take(event.sequence) == true {
                guard hub.hasSubscribers(room) else {
                    cursors[room] = nil
                    continue
                }
                hub.publish(.event(event), in: room)
            } else {
                advance(room, through: event.sequence)
            }
        }
    }

    private func handle(_ text: String) async {
        let end = text.utf8.firstIndex(of: AnnouncedEvents.separator)
        guard let notification = ChangeNotification(text: end.map { String(text[..<$0]) } ?? text) else { return }
        switch notification {
        case .eventsWritten(let room, let through, _):
            if let end { await publish(AnnouncedEvents.events(text[end...].dropFirst(), in: room)) }
            advance(room, through: through)
        case .read(let room, let account, let through): hub.publish(.read(by: account, through: through), in: room)
        case .typing(let room, let account): hub.publish(.typing(by: account), in: room)
        case .presence(let room, let account, let isPresent): hub.publish(.present(account, isPresent), in: room)
        case .roomDeleted(let room, _):
            hub.publish(.gone, in: room)
            cursors[room] = nil
        case .replicaLost: await resync()
        case .assignmentChanged, .sessionRevoked, .accountWithdrawn: break
        }
        await handleNotification?(notification)
    }

    private func catchUp(_ rooms: Set<RoomID>) async throws {
        for (room, through) in try await live.sequences(of: Array(rooms), in: database) {
            advance(room, through: through)
        }
    }

    private func advance(_ room: RoomID, through: Int64) {
        guard cursors[room]?.advance(through: through) == true else { return }
        guard hub.hasSubscribers(room) else {
            cursors[room] = nil
            return
        }
        readLater(room)
    }

    // MARK: Reading

    private func readLater(_ room: RoomID) {
        due.append(room)
        guard lanes < Self.laneLimit else { return }
        lanes += 1
        Task {
            while let batch = nextBatch() { await read(batch) }
            lanes -= 1
        }
    }

    /// Rooms to read in one query, with their cursors; nil when there are none.
    private func nextBatch() -> [RoomPosition]? {
        var batch: [RoomPosition] = []
        while batch.count < Self.batchLimit, let room = due.first {
            let isAlone = failures[room] != nil
            if isAlone, !batch.isEmpty { return batch }
            due.removeFirst()
            guard case .reading(let from, _) = cursors[room] else { continue }
            guard hub.hasSubscribers(room) else {
                cursors[room] = nil
                failures[room] = nil
                continue
            }
            batch.append(RoomPosition(room: room, sequence: from))
            if isAlone { return batch }
        }
        return batch.isEmpty ? nil : batch
    }

    private func read(_ batch: [RoomPosition]) async {
        do {
            let events = Dictionary(grouping: try await readEvents(batch), by: \.message.room)
            for position in batch { deliver(events[position.room] ?? [], after: position) }
        } catch {
            guard !hasEnded else { return }
            logger.warning("live feed: events could not be read, will retry", error: error)
            for position in batch {
                let count = (failures[position.room] ?? 0) + 1
                failures[position.room] = count
                // The others of the batch may have failed because of one.
                guard batch.count == 1 else {
                    readLater(position.room)
                    continue
                }
                Task {
                    try? await Task.sleep(for: Self.backoff.pause(after: count))
                    readLater(position.room)
                }
            }
        }
    }

    /// Delivers a page of events that were read after a cursor, unless the cursor has moved meanwhile. No events are left
    /// when the room was deleted.
    private func deliver(_ events: [RoomEvent], after position: RoomPosition) {
        let room = position.room
        failures[room] = nil
        guard let isUnfinished = cursors[room]?.read(after: position.sequence, last: events.last?.sequence) else {
            return
        }
        for event in events { hub.publish(.event(event), in: room) }
        guard hub.hasSubscribers(room) else {
            cursors[room] = nil
            return
        }
        if isUnfinished { readLater(room) }
    }

    /// Compares all cursors with the tables, since notifications may have been missed.
    private func resync() async {
        // Rooms without subscribers have no events to catch up with.
        let subscribed = hub.subscribedRooms
        cursors = cursors.filter { subscribed.contains($0.key) }
        // Rooms without subscribers are not read, so their cursors are outdated.
        removeUnused(all: true)
        while !Task.isCancelled {
            do {
                try await handleMissed?()
                return try await catchUp(subscribed)
            } catch {
                logger.warning("live feed: the rooms could not be read, will retry", error: error)
                try? await Task.sleep(for: .milliseconds(500))
            }
        }
    }
}
