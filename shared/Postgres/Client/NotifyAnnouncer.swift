import Logging
import Metrics
import Synchronization
import Values

/// Announces by NOTIFY (PostgreSQL manual, "NOTIFY"), in statements of its own.
///
/// A transaction with NOTIFY holds a lock of the whole server until its commit is flushed to disk, so that such
/// transactions commit one after the other. Here one statement at a time carries everything that was announced during
/// the one before, and its commit waits for no flush, because it changes nothing durable. Each announcement reaches all
/// copies, whatever it is about, without its content.
final class NotifyAnnouncer: Announcer {
    private struct State {
        var waiting: [Announcement] = []
        var isSending = false
        var isClosed = false
        /// Whether something listens.
        var isHeard = false
    }

    /// Its connection carries the announcements, too: they wait for no other statement, and none for them.
    private let listener: NotificationListener
    private let metrics: PostgresMetrics
    private let schema: String
    private let logger: Logger
    /// The time between an announcement whose way is timed and the next.
    private let pause: Duration
    private let state = Mutex(State())

    /// The maximum number of waiting announcements. More come together only while the server cannot be reached, and
    /// those are lost.
    private static let limit = 10_000
    /// The length in bytes from which the server refuses a payload, with all others of its statement.
    private static let refusedLength = 8_000

    init(
        _ connector: PostgresConnector,
        schema: String,
        metrics: PostgresMetrics,
        logger: Logger,
        pause: Duration
    ) {
        self.pause = pause
        listener = NotificationListener(connector, logger: logger)
        self.metrics = metrics
        self.schema = schema
        self.logger = logger
    }

    func notifications(on channel: String) -> AsyncStream<PostgresNotification> {
        state.withLock { $0.isHeard = true }
        return listener.subscribe(to: name(of: channel))
    }

    func announce(_ announcements: [Announcement]) {
        guard !announcements.isEmpty else { return }
        let (begins, lost) = state.withLock { state in
            let taken = announcements.filter { $0.payload.utf8.count < Self.refusedLength }
                .prefix(Self.limit - state.waiting.count)
            state.waiting += taken
            defer { state.isSending = true }
            return (!state.isSending, announcements.count - taken.count)
        }
        metrics.lostAnnouncements.increment(by: lost)
        if begins { Task { await send() } }
    }

    func watch(_ key: String, on channel: String) {}
    func unwatch(_ key: String, on channel: String) {}
    func confirmWatches() async {}
    func check() async throws {}

    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.timeAnnouncements() }
            await listener.run()
            group.cancelAll()
        }
    }

    /// Announces to this copy alone now and then, and times how long that takes. A process in which nothing listens needs no
    /// connection for it.
    private func timeAnnouncements() async {
        repeat {
            guard (try? await Task.sleep(for: pause)) != nil else { return }
        } while !state.withLock(\.isHeard)
        let channel = "beat_\(String(UInt64.random(in: 0 ... .max), radix: 36))"
        var (beat, sent) = (0, ContinuousClock.now)
        for await notification in notifications(on: channel) {
            switch notification {
            case .listening: break
            case .message("\(beat)"):
                metrics.announcements.record(duration: .now - sent)
                guard (try? await Task.sleep(for: pause)) != nil else { return }
            case .message: continue
            }
            (beat, sent) = (beat + 1, .now)
            announce([Announcement("\(beat)", on: channel)])
        }
    }

    func drain() async {
        state.withLock { $0.isClosed = true }
        while state.withLock(\.isSending) {
            guard (try? await Task.sleep(for: .milliseconds(5))) != nil else { break }
        }
    }

    private func send() async {
        var backoff = Backoff.connecting
        var hasFailed = false
        while let batch = next() {
            do {
                try await listener.openConnection().run([statement(for: batch)])
                backoff.reset()
                hasFailed = false
            } catch {
                if !hasFailed { logger.warning("postgres announcer: not sent, will retry", error: error) }
                hasFailed = true
                keep(batch)
                try? await Task.sleep(for: backoff.next())
            }
        }
    }

    private func keep(_ batch: [Announcement]) {
        let lost = state.withLock { state in
            let kept = state.isClosed ? 0 : min(batch.count, Self.limit - state.waiting.count)
            state.waiting.insert(contentsOf: batch.suffix(kept), at: 0)
            return batch.count - kept
        }
        metrics.lostAnnouncements.increment(by: lost)
    }

    /// The announcements to send now, of equal ones the last; nil when there are none, which ends the sending.
    private func next() -> [Announcement]? {
        let waiting = state.withLock { state in
            state.isSending = !state.waiting.isEmpty
            defer { state.waiting = [] }
            return state.waiting
        }
        guard !waiting.isEmpty else { return nil }
        var known: Set<Announcement> = []
        return waiting.reversed().filter { known.insert($0).inserted }.reversed()
    }

    private func statement(for batch: [Announcement]) -> SQL {
        """
        SELECT set_config('synchronous_commit', 'off', true), pg_notify(channel, payload)
        FROM unnest(\(batch.map { name(of: $0.channel) }), \(batch.map(\.payload))) AS a(channel, payload)
        """
    }

    private func name(of channel: String) -> String { "\(channel)_\(schema)" }
}
