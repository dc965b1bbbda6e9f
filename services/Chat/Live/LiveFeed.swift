import Logging
import Postgres
import ServiceLifecycle

/// Delivers the events of rooms to the sockets of this process, in sequence order and without gaps.
///
/// Events written by this replica are delivered directly; those of other replicas are announced by NOTIFY and read from
/// the tables. Every room with a local subscriber has a cursor, the number of the last delivered event, and missing
/// events are read from there: a lost or late notification only delays delivery.
actor LiveFeed: Service {
    private enum Cursor {
        /// The room's last number is being read; `heard` is the highest number announced meanwhile.
        case finding(heard: Int64)
        case at(Int64)
        /// Events are being read; `heard` is the highest number announced meanwhile.
        case reading(from: Int64, heard: Int64)
    }

    nonisolated let hub = RoomHub()
    private let database: PostgresClient
    private let logger: Logger
    private let store = MessageStore()
    private let live = LiveStore()
    private var cursors: [Int64: Cursor] = [:]
    private var waiting: [Int64: [CheckedContinuation<Int64, any Error>]] = [:]
    private var hasListened = false
    private var noticed: (@Sendable (ChangeNotification) async -> Void)?
    private var heardAnew: (@Sendable () async -> Void)?

    private static let page = 500

    init(database: PostgresClient, logger: Logger) {
        self.database = database
        self.logger = logger
    }

    /// Sets the callbacks for every notification, and for every start of listening, before which notifications may have
    /// been lost.
    func tell(
        _ noticed: @escaping @Sendable (ChangeNotification) async -> Void,
        anew: @escaping @Sendable () async -> Void
    ) {
        self.noticed = noticed
        self.heardAnew = anew
    }

    func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            let channel = LiveStore.channel(schema: database.configuration.schema)
            for await notification in database.notifications(on: channel) {
                switch notification {
                case .listening: await began()
                case .message(let text): await hear(text)
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

    private func began() async {
        hasListened = true
        await readOnEverywhere()
    }

    // MARK: Subscriptions

    /// Subscribes a listener to a room. The listener receives every event after the returned number, and possibly some
    /// before it, which it must ignore.
    ///
    /// - Throws: `PostgresError`; the listener is not subscribed then.
    func watch(_ room: Int64, _ listener: any RoomListener) async throws -> Int64 {
        hub.add(listener, to: room)
        do {
            return try await place(of: room)
        } catch {
            hub.remove(listener, from: room)
            throw error
        }
    }

    nonisolated func unwatch(_ room: Int64, _ listener: any RoomListener) {
        hub.remove(listener, from: room)
    }

    /// Number of the last delivered event.
    private func place(of room: Int64) async throws -> Int64 {
        switch cursors[room] {
        case .at(let through), .reading(let through, _):
            return through
        case .finding:
            return try await withCheckedThrowingContinuation { waiting[room, default: []].append($0) }
        case nil:
            forgetUnwatched()
            cursors[room] = .finding(heard: 0)
        }
        let outcome: Result<Int64, any Error>
        do {
            let through = try await live.sequences(of: [room], in: database).first?.through ?? 0
            let heard = if case .finding(let heard) = cursors[room] { heard } else { Int64(0) }
            cursors[room] = .at(through)
            outcome = .success(through)
            if heard > through { await readOn(room, to: heard) }
        } catch {
            cursors[room] = nil
            outcome = .failure(error)
        }
        for continuation in waiting.removeValue(forKey: room) ?? [] { continuation.resume(with: outcome) }
        return try outcome.get()
    }

    /// Removes the cursors of rooms without subscribers.
    private func forgetUnwatched(all: Bool = false) {
        guard all || (cursors.count >= 64 && cursors.count.isMultiple(of: 64)) else { return }
        let watched = hub.watched
        cursors = cursors.filter { room, cursor in
            if case .at = cursor { watched.contains(room) } else { true }
        }
    }

    // MARK: Notifications

    /// Delivers events that this replica has written: directly when no earlier event is missing.
    func wrote(_ events: [RoomEvent]) async {
        for event in events {
            let room = event.message.room
            if case .at(let through) = cursors[room], event.sequence == through + 1 {
                guard hub.isWatched(room) else {
                    cursors[room] = nil
                    continue
                }
                cursors[room] = .at(event.sequence)
                hub.publish(.event(event), in: room)
            } else {
                await heard(room, through: event.sequence)
            }
        }
    }

    private func hear(_ text: String) async {
        guard let notice = ChangeNotification(text: text) else { return }
        switch notice {
        case .happened(let room, let through, _): await heard(room, through: through)
        case .read(let room, let account, let through): hub.publish(.read(by: account, through: through), in: room)
        case .typing(let room, let account): hub.publish(.typing(by: account), in: room)
        case .present(let room, let account, let isThere): hub.publish(.present(account, isThere), in: room)
        case .roomGone(let room, _):
            hub.publish(.gone, in: room)
            cursors[room] = nil
        case .turned, .sessionEnded, .accountGone: break
        }
        await noticed?(notice)
    }

    private func heard(_ room: Int64, through: Int64) async {
        switch cursors[room] {
        case nil: return
        case .finding(let heard): cursors[room] = .finding(heard: max(heard, through))
        case .reading(let from, let heard): cursors[room] = .reading(from: from, heard: max(heard, through))
        case .at(let told):
            guard through > told else { return }
            guard hub.isWatched(room) else {
                cursors[room] = nil
                return
            }
            await readOn(room, to: through)
        }
    }

    /// Delivers the events after the cursor, read from the tables.
    private func readOn(_ room: Int64, to heard: Int64) async {
        guard case .at(var told) = cursors[room] else { return }
        cursors[room] = .reading(from: told, heard: heard)
        var pause = Duration.milliseconds(20)
        while case .reading(_, let wanted) = cursors[room], told < wanted, hub.isWatched(room), !Task.isCancelled {
            do {
                let events = try await store.events(in: room, after: told, limit: Self.page, database)
                // The room was deleted meanwhile.
                guard let last = events.last else { break }
                for event in events { hub.publish(.event(event), in: room) }
                told = last.sequence
                if case .reading(_, let wanted) = cursors[room] { cursors[room] = .reading(from: told, heard: wanted) }
            } catch {
                logger.warning("live feed: the events of a room could not be read, will retry", error: error)
                try? await Task.sleep(for: pause)
                pause = min(pause * 2, .seconds(1))
            }
        }
        if case .reading = cursors[room] { cursors[room] = hub.isWatched(room) ? .at(told) : nil }
    }

    /// Compares all cursors with the tables, since notifications may have been missed.
    private func readOnEverywhere() async {
        // Rooms without subscribers have no events to catch up with.
        let watched = hub.watched
        cursors = cursors.filter { watched.contains($0.key) }
        await heardAnew?()
        // `readOn` does nothing for rooms without subscribers, so their cursors are outdated.
        forgetUnwatched(all: true)
        while !Task.isCancelled {
            do {
                for (room, through) in try await live.sequences(of: Array(watched), in: database) {
                    await heard(room, through: through)
                }
                return
            } catch {
                logger.warning("live feed: the rooms could not be read, will retry", error: error)
                try? await Task.sleep(for: .milliseconds(500))
            }
        }
    }
}
