import Logging
import Postgres
import ServiceLifecycle

/// Carries what happens in rooms to the sockets of this process, in the order of the rooms' numbers and without a gap.
///
/// What this copy has written itself it hears at once; of what others have written it hears by NOTIFY, and reads it from the
/// tables. Of every room that somebody looks into it knows up to which number it has told; what is missing in between is
/// read, so a notice that is lost or late costs time and nothing else.
actor LiveFeed: Service {
    private enum Cursor {
        /// Its place is being asked for; what is heard meanwhile goes up to a number.
        case finding(heard: Int64)
        case at(Int64)
        /// It is being read on; what is heard meanwhile goes up to a number.
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
    private var noticed: (@Sendable (LiveNotice) async -> Void)?
    private var heardAnew: (@Sendable () async -> Void)?

    private static let page = 500

    init(database: PostgresClient, logger: Logger) {
        self.database = database
        self.logger = logger
    }

    /// Who else is told of every notice, and of the moment from which notices are heard again.
    func tell(
        _ noticed: @escaping @Sendable (LiveNotice) async -> Void,
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

    /// - Throws: `NotListening` until notices are heard. A session that ends before that would keep its sockets.
    func checkListening() throws(NotListening) {
        guard hasListened else { throw NotListening() }
    }

    struct NotListening: Error {}

    private func began() async {
        hasListened = true
        await readOnEverywhere()
    }

    // MARK: Watching

    /// Begins to tell a listener what happens in a room: everything after the number that is returned, and perhaps some
    /// before it, which the listener passes over.
    ///
    /// - Throws: `PostgresError`; the listener hears nothing then.
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

    /// Up to which number has been told.
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

    /// Cursors of rooms that nobody looks into any more are of no use.
    private func forgetUnwatched(all: Bool = false) {
        guard all || (cursors.count >= 64 && cursors.count.isMultiple(of: 64)) else { return }
        let watched = hub.watched
        cursors = cursors.filter { room, cursor in
            if case .at = cursor { watched.contains(room) } else { true }
        }
    }

    // MARK: Hearing

    /// What this copy has written: told without a detour where nothing is missing before it.
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
        guard let notice = LiveNotice(text: text) else { return }
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

    /// Tells what the tables have after what was told.
    private func readOn(_ room: Int64, to heard: Int64) async {
        guard case .at(var told) = cursors[room] else { return }
        cursors[room] = .reading(from: told, heard: heard)
        var pause = Duration.milliseconds(20)
        while case .reading(_, let wanted) = cursors[room], told < wanted, hub.isWatched(room), !Task.isCancelled {
            do {
                let events = try await store.events(in: room, after: told, limit: Self.page, database)
                // A room that is gone in between has no more of them.
                guard let last = events.last else { break }
                for event in events { hub.publish(.event(event), in: room) }
                told = last.sequence
                if case .reading(_, let wanted) = cursors[room] { cursors[room] = .reading(from: told, heard: wanted) }
            } catch {
                logger.warning("a room could not be read on", error: error)
                try? await Task.sleep(for: pause)
                pause = min(pause * 2, .seconds(1))
            }
        }
        if case .reading = cursors[room] { cursors[room] = hub.isWatched(room) ? .at(told) : nil }
    }

    /// Looks where all rooms stand, after a time in which notices may have been missed.
    private func readOnEverywhere() async {
        // Of these nobody was told, and nobody will be told what was missed.
        let watched = hub.watched
        cursors = cursors.filter { watched.contains($0.key) }
        await heardAnew?()
        // Of rooms that nobody looks into nothing is read, so their places are not known any more.
        forgetUnwatched(all: true)
        while !Task.isCancelled {
            do {
                for (room, through) in try await live.sequences(of: Array(watched), in: database) {
                    await heard(room, through: through)
                }
                return
            } catch {
                logger.warning("the rooms could not be read", error: error)
                try? await Task.sleep(for: .milliseconds(500))
            }
        }
    }
}
