import Contracts
import Logging
import Postgres
import ServiceLifecycle

/// Delivers the events of rooms to the subscribers of this process, in sequence order and without gaps, and passes on
/// all notifications.
///
/// Events written by this replica are delivered directly; those of other replicas are announced by NOTIFY and read from
/// the tables. Every room with a local subscriber has a cursor, the number of the last delivered event, and missing
/// events are read from there: a lost or late notification only delays delivery.
actor LiveFeed: Service {
    private enum Cursor {
        /// The room's last number is being read; `announced` is the highest number announced meanwhile.
        case locating(announced: Int64)
        case at(Int64)
        /// Events are being read; `announced` is the highest number announced meanwhile.
        case reading(from: Int64, announced: Int64)
    }

    nonisolated let hub = RoomHub()
    nonisolated let recent = RecentEvents()
    private let database: PostgresClient
    private let logger: Logger
    private let store = MessageStore()
    private let live = LiveStore()
    private var cursors: [RoomID: Cursor] = [:]
    private var waiting: [RoomID: [CheckedContinuation<Int64, any Error>]] = [:]
    private var hasListened = false
    private var handleNotification: (@Sendable (ChangeNotification) async -> Void)?
    private var handleMissed: (@Sendable () async -> Void)?

    private static let page = 500

    init(database: PostgresClient, logger: Logger) {
        self.database = database
        self.logger = logger
    }

    /// Sets the callbacks for every notification, and for every start of listening, before which notifications may have
    /// been lost.
    func onNotification(
        _ handle: @escaping @Sendable (ChangeNotification) async -> Void,
        missed: @escaping @Sendable () async -> Void
    ) {
        handleNotification = handle
        handleMissed = missed
    }

    func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            let channel = LiveStore.channel(schema: database.configuration.schema)
            for await notification in database.notifications(on: channel) {
                switch notification {
                case .listening: await listeningBegan()
                case .message(let text): await handle(text)
                }
            }
        }
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
        hub.add(listener, to: room)
        do {
            return try await position(of: room)
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
        switch cursors[room] {
        case .at(let through), .reading(let through, _):
            return through
        case .locating:
            return try await withCheckedThrowingContinuation { waiting[room, default: []].append($0) }
        case nil:
            removeUnused()
            cursors[room] = .locating(announced: 0)
        }
        let outcome: Result<Int64, any Error>
        do {
            let through = try await live.sequences(of: [room], in: database).first?.through ?? 0
            let announced = if case .locating(let announced) = cursors[room] { announced } else { Int64(0) }
            cursors[room] = .at(through)
            outcome = .success(through)
            if announced > through { await catchUp(room, to: announced) }
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

    /// Delivers events that this replica has written: directly when no earlier event is missing.
    nonisolated func publish(_ events: [RoomEvent]) async {
        recent.append(events)
        await deliver(events)
    }

    private func deliver(_ events: [RoomEvent]) async {
        for event in events {
            let room = event.message.room
            if case .at(let through) = cursors[room], event.sequence == through + 1 {
                guard hub.hasSubscribers(room) else {
                    cursors[room] = nil
                    continue
                }
                cursors[room] = .at(event.sequence)
                hub.publish(.event(event), in: room)
            } else {
                await advance(room, through: event.sequence)
            }
        }
    }

    private func handle(_ text: String) async {
        guard let notification = ChangeNotification(text: text) else { return }
        switch notification {
        case .eventsWritten(let room, let through, _): await advance(room, through: through)
        case .read(let room, let account, let through): hub.publish(.read(by: account, through: through), in: room)
        case .typing(let room, let account): hub.publish(.typing(by: account), in: room)
        case .presence(let room, let account, let isPresent): hub.publish(.present(account, isPresent), in: room)
        case .roomDeleted(let room, _):
            hub.publish(.gone, in: room)
            cursors[room] = nil
        case .assignmentChanged, .sessionRevoked, .accountWithdrawn: break
        }
        await handleNotification?(notification)
    }

    private func advance(_ room: RoomID, through: Int64) async {
        switch cursors[room] {
        case nil: return
        case .locating(let announced): cursors[room] = .locating(announced: max(announced, through))
        case .reading(let from, let announced):
            cursors[room] = .reading(from: from, announced: max(announced, through))
        case .at(let delivered):
            guard through > delivered else { return }
            guard hub.hasSubscribers(room) else {
                cursors[room] = nil
                return
            }
            await catchUp(room, to: through)
        }
    }

    /// Delivers the events after the cursor, read from the tables.
    private func catchUp(_ room: RoomID, to announced: Int64) async {
        guard case .at(var delivered) = cursors[room] else { return }
        cursors[room] = .reading(from: delivered, announced: announced)
        var pause = Duration.milliseconds(20)
        while case .reading(_, let end) = cursors[room], delivered < end, hub.hasSubscribers(room), !Task.isCancelled {
            do {
                let events = try await store.events(in: room, after: delivered, limit: Self.page, database)
                // The room was deleted meanwhile.
                guard let last = events.last else { break }
                for event in events { hub.publish(.event(event), in: room) }
                delivered = last.sequence
                if case .reading(_, let last) = cursors[room] {
                    cursors[room] = .reading(from: delivered, announced: last)
                }
            } catch {
                logger.warning("live feed: the events of a room could not be read, will retry", error: error)
                try? await Task.sleep(for: pause)
                pause = min(pause * 2, .seconds(1))
            }
        }
        if case .reading = cursors[room] { cursors[room] = hub.hasSubscribers(room) ? .at(delivered) : nil }
    }

    /// Compares all cursors with the tables, since notifications may have been missed.
    private func resync() async {
        // Rooms without subscribers have no events to catch up with.
        let subscribed = hub.subscribedRooms
        cursors = cursors.filter { subscribed.contains($0.key) }
        await handleMissed?()
        // `catchUp` does nothing for rooms without subscribers, so their cursors are outdated.
        removeUnused(all: true)
        while !Task.isCancelled {
            do {
                for (room, through) in try await live.sequences(of: Array(subscribed), in: database) {
                    await advance(room, through: through)
                }
                return
            } catch {
                logger.warning("live feed: the rooms could not be read, will retry", error: error)
                try? await Task.sleep(for: .milliseconds(500))
            }
        }
    }
}
