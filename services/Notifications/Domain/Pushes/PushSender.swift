import Contracts
import FoundationEssentials
import Logging
import Postgres
import ServiceHost
import ServiceLifecycle
import Synchronization

/// Sends what is due, to many phones at once and one thing at a time to each. Several copies of the service may do so beside
/// each other: each takes mailboxes that no other has.
///
/// What FCM has answered is written down together with what else was answered meanwhile. Who dies before that leaves the
/// mailboxes to be taken again when the lease ends, and of what was in them, what was on its way is sent twice.
final class PushSender: Service, Sendable {
    /// Tries once.
    typealias Attempt = @Sendable (Push) async -> PushOutcome

    private struct State {
        /// How many more mailboxes may be taken.
        var free: Int
        var line: PushLine
        var gates: [App: Gate]
        var backlog: BacklogAllowance
        var tries: [PushTry] = []
        var isStopping = false
        /// Nothing is on its way any more.
        var isStill = false
    }

    private let database: PostgresClient
    private let pace: PushPace
    private let attempt: Attempt
    private let now: @Sendable () -> Date
    private let logger: Logger
    private let journal: PushJournal
    private let lease = UUID()
    private let mailboxes = MailboxStore()
    private let pushes = PushStore()
    private let state: Mutex<State>
    private let taking = Waker()
    private let recording = Waker()

    init(
        database: PostgresClient,
        apps: Set<App>,
        pace: PushPace,
        logger: Logger,
        now: @escaping @Sendable () -> Date,
        attempt: @escaping Attempt
    ) {
        self.database = database
        self.pace = pace
        self.attempt = attempt
        self.now = now
        self.logger = logger
        journal = PushJournal(database: database, now: now)
        let gates = Dictionary(uniqueKeysWithValues: apps.map { ($0, Gate()) })
        let backlog = BacklogAllowance(rate: pace.lateRate)
        let line = PushLine(ways: pace.concurrency)
        state = Mutex(State(free: pace.concurrency + pace.ahead, line: line, gates: gates, backlog: backlog))
    }

    /// Ends when everything that is on its way has been answered and written down.
    func run() async throws {
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    let channel = "\(MailboxStore.channel)_\(self.database.configuration.schema ?? "public")"
                    for await _ in self.database.notifications(on: channel) { self.taking.wake() }
                }
                async let recorded: Void = record()
                await takeAndSend()
                state.withLock { $0.isStill = true }
                recording.wake()
                await recorded
                group.cancelAll()
            }
        } onGracefulShutdown: {
            self.state.withLock { $0.isStopping = true }
            self.taking.wake()
        }
    }

    private var isStopping: Bool { Task.isCancelled || state.withLock(\.isStopping) }

    private func takeAndSend() async {
        await withDiscardingTaskGroup { group in
            while !isStopping {
                do {
                    let start = now()
                    let taken = try await take(at: start)
                    let more = lineUp(taken, until: start + pace.longestWait)
                    for _ in 0..<more { group.addTask { await self.sendNext() } }
                    if taken.isEmpty { await taking.sleep(atMost: try await untilNext()) }
                } catch {
                    if !isStopping { logger.warning("pushes have to wait", error: error) }
                    await taking.sleep(atMost: .seconds(1))
                }
            }
        }
    }

    // MARK: Taking

    /// Takes what is due of the apps whose gates are open, and one push of those where it is to be seen whether FCM works
    /// again.
    private func take(at now: Date) async throws -> [Push] {
        let (open, probed, limit, late) = state.withLock { state in
            let open = state.gates.filter(\.value.isOpen).map(\.key)
            let probed = state.free > 0 ? state.gates.keys.filter { state.gates[$0]?.admitProbe(at: now) ?? false } : []
            return (open, probed, state.free, state.backlog.available(at: now))
        }
        guard limit > 0 else { return [] }
        var pushes: [Push] = []
        for app in probed {
            // While the database is away there is nothing to try; it is seen later whether FCM works.
            let probe = (try? await take(of: [app], limit: 1, late: 1, at: now)) ?? []
            if probe.isEmpty { state.withLock { $0.gates[app]?.cancelProbe() } }
            pushes += probe
        }
        if !open.isEmpty, limit > pushes.count {
            pushes += try await take(of: open, limit: limit - pushes.count, late: late, at: now)
        }
        return pushes
    }

    private func take(of apps: [App], limit: Int, late: Int, at now: Date) async throws -> [Push] {
        let taken = try await mailboxes.take(
            of: apps,
            lease: lease,
            limit: limit,
            late: late,
            at: now,
            lateness: now - pace.lateness,
            until: now + pace.lease,
            in: database
        )
        guard !taken.isEmpty else { return [] }
        state.withLock { state in
            state.free -= taken.count
            state.backlog.spend(taken.count { $0.isLate })
        }
        let devices = taken.map(\.device)
        let due: [Push]
        do {
            due = try await pushes.first(of: devices, at: now, in: database)
        } catch {
            // They are anybody's again when the lease ends.
            state.withLock { $0.free += taken.count }
            throw error
        }
        let empty = Set(devices).subtracting(due.map(\.device))
        for device in empty { finish(.none(on: device)) }
        return due
    }

    /// How long until there may be more.
    private func untilNext() async throws -> Duration {
        let now = now()
        let (apps, opening, isFull, pause) = state.withLock { state in
            let open = state.gates.filter(\.value.isOpen).map(\.key)
            let opening = state.gates.values.compactMap(\.closedUntil).filter { $0 > now }.min()
            return (open, opening, state.free <= 0, state.backlog.wait)
        }
        guard !isFull else { return .seconds(1) }
        let due = try await mailboxes.nextDue(of: apps, after: now, in: database)
        // What is late waits for its turn.
        let turn = pause > 0 ? now + pause : nil
        let next = [due, opening, turn].compactMap(\.self).min()
        return .seconds(min(max(next?.timeIntervalSince(now) ?? 1, 0), 1))
    }

    // MARK: Sending

    /// - Returns: how many more may send.
    private func lineUp(_ pushes: [Push], until end: Date) -> Int {
        state.withLock { $0.line.add(pushes, until: end) }
    }

    /// Sends one after the other, as long as there are any. What may not go now is given back.
    private func sendNext() async {
        while true {
            let now = now()
            let (push, left) = state.withLock { state in
                let (isStopping, gates) = (state.isStopping, state.gates)
                return state.line.next(at: now) { !isStopping && gates[$0.app]?.admits == true }
            }
            for push in left {
                state.withLock { $0.gates[push.app]?.cancelProbe() }
                finish(.none(on: push.device))
            }
            guard let push else { return }
            await send(push)
        }
    }

    private func send(_ push: Push) async {
        let isStale = now().timeIntervalSince(push.createdAt) > pace.lifetime
        let outcome = isStale ? .refused("nobody wants to hear of it any more") : await attempt(push)
        let hasMoved = state.withLock { $0.gates[push.app]?.hear(outcome, at: now()) ?? false }
        if hasMoved { tell(outcome, of: push.app) }
        if case .refused(let reason) = outcome {
            let metadata: Logger.Metadata = [
                "app": "\(push.app)", "kind": "\(push.content.kind)", "reason": "\(reason)",
            ]
            logger.warning("a push is given up", metadata: metadata)
        }
        finish(PushTry(device: push.device, push: push, outcome: outcome))
    }

    private func tell(_ outcome: PushOutcome, of app: App) {
        switch outcome {
        case .misconfigured(let reason):
            logger.error("FCM refuses our credentials", metadata: ["app": "\(app)", "reason": "\(reason)"])
        case .later(let reason, _):
            logger.warning("FCM does not take pushes", metadata: ["app": "\(app)", "reason": "\(reason)"])
        default:
            logger.notice("FCM takes pushes again", metadata: ["app": "\(app)"])
        }
    }

    private func finish(_ attempt: PushTry) {
        state.withLock { $0.tries.append(attempt) }
        recording.wake()
    }

    // MARK: Writing down

    private func record() async {
        while true {
            let (tries, isStill) = state.withLock { state in
                defer { state.tries = [] }
                return (state.tries, state.isStill)
            }
            if tries.isEmpty {
                if isStill { return }
                await recording.sleep(atMost: .seconds(1))
                continue
            }
            await write(tries)
            state.withLock { $0.free += tries.count }
            taking.wake()
        }
    }

    /// Until it has worked, or the mailboxes are anybody's again: what has been sent must not be sent twice because the
    /// database was away for a moment.
    private func write(_ tries: [PushTry]) async {
        let end = now() + pace.lease
        while true {
            do {
                return try await journal.write(tries, of: lease)
            } catch {
                logger.warning("what was sent cannot be written down", error: error)
                guard now() < end, !Task.isCancelled else { return }
                try? await Task.sleep(for: .milliseconds(200))
            }
        }
    }
}
