import Contracts
import FoundationEssentials
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle
import Synchronization

/// Sends due pushes, to many devices concurrently and one after the other to each. Replicas share the work: each takes
/// mailboxes that no other has leased.
///
/// Outcomes are recorded in batches. If the process dies before that, its mailboxes become available when the lease
/// ends, and pushes that were on their way are sent twice.
final class PushSender: Service, Sendable {
    /// Sends a push once.
    typealias Attempt = @Sendable (Push) async -> PushOutcome

    private struct State {
        /// Number of mailboxes that can still be taken.
        var free: Int
        var line: SendQueue
        var breakers: [App: CircuitBreaker]
        var backlog: BacklogAllowance
        var tries: [PushTry] = []
        var isStopping = false
        /// Everything that was on its way has finished.
        var isStill = false
    }

    private let database: PostgresClient
    private let pace: PushPace
    private let attempt: Attempt
    private let now: @Sendable () -> Date
    private let logger: Logger
    private let journal: DeliveryLog
    private let lease = UUID()
    private let mailboxes = MailboxStore()
    private let pushes = PushStore()
    private let state: Mutex<State>
    private let taking = AsyncSignal()
    private let recording = AsyncSignal()

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
        journal = DeliveryLog(database: database, now: now)
        let breakers = Dictionary(uniqueKeysWithValues: apps.map { ($0, CircuitBreaker()) })
        let backlog = BacklogAllowance(rate: pace.lateRate)
        let line = SendQueue(slots: pace.concurrency)
        state = Mutex(State(free: pace.concurrency + pace.ahead, line: line, breakers: breakers, backlog: backlog))
    }

    /// Returns when everything that was on its way has been sent and recorded.
    func run() async throws {
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    let channel = MailboxStore.announcement.channel
                    for await _ in self.database.announcer.notifications(on: channel) { self.taking.wake() }
                }
                // It is not cancelled before all attempts have ended: waits of a cancelled task end at once, over and over.
                let recorder = Task { await record() }
                await takeAndSend()
                state.withLock { $0.isStill = true }
                recording.wake()
                if Task.isCancelled { recorder.cancel() }
                await recorder.value
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
                    if !isStopping { logger.warning("push sender: pushes could not be taken", error: error) }
                    await taking.sleep(atMost: .seconds(1))
                }
            }
        }
    }

    // MARK: Taking

    /// Takes due pushes of the apps whose circuit is closed, and one probe per app that is due for it.
    private func take(at now: Date) async throws -> [Push] {
        let (apps, probed, limit, late) = state.withLock { state in
            let apps = state.breakers.filter(\.value.isClosed).map(\.key)
            let probed =
                state.free > 0 ? state.breakers.keys.filter { state.breakers[$0]?.admitProbe(at: now) ?? false } : []
            return (apps, probed, state.free, state.backlog.available(at: now))
        }
        guard limit > 0 else { return [] }
        var pushes: [Push] = []
        for app in probed {
            // The probe is repeated later if the database is unavailable.
            let probe = (try? await take(of: [app], limit: 1, late: 1, at: now)) ?? []
            if probe.isEmpty { state.withLock { $0.breakers[app]?.cancelProbe() } }
            pushes += probe
        }
        if !apps.isEmpty, limit > pushes.count {
            pushes += try await take(of: apps, limit: limit - pushes.count, late: late, at: now)
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
            // The mailboxes become available when the lease ends.
            state.withLock { $0.free += taken.count }
            throw error
        }
        let empty = Set(devices).subtracting(due.map(\.device))
        for device in empty { finish(.none(on: device)) }
        return due
    }

    /// Time until the next push may be due.
    private func untilNext() async throws -> Duration {
        let now = now()
        let (apps, probing, isFull, pause) = state.withLock { state in
            let apps = state.breakers.filter(\.value.isClosed).map(\.key)
            let probing = state.breakers.values.compactMap(\.openUntil).filter { $0 > now }.min()
            return (apps, probing, state.free <= 0, state.backlog.wait)
        }
        guard !isFull else { return .seconds(1) }
        let due = try await mailboxes.nextDue(of: apps, after: now, in: database)
        // Overdue pushes wait for the rate limit.
        let turn = pause > 0 ? now + pause : nil
        let next = [due, probing, turn].compactMap(\.self).min()
        return .seconds(min(max(next?.timeIntervalSince(now) ?? 1, 0), 1))
    }

    // MARK: Sending

    /// - Returns: The number of tasks to start.
    private func lineUp(_ pushes: [Push], until end: Date) -> Int {
        state.withLock { $0.line.add(pushes, until: end) }
    }

    /// Sends pushes one after the other while there are any. Those that cannot be sent now are released.
    private func sendNext() async {
        while true {
            let now = now()
            let (push, left) = state.withLock { state in
                let (isStopping, breakers) = (state.isStopping, state.breakers)
                return state.line.next(at: now) { !isStopping && breakers[$0.app]?.admits == true }
            }
            for push in left {
                state.withLock { $0.breakers[push.app]?.cancelProbe() }
                finish(.none(on: push.device))
            }
            guard let push else { return }
            await send(push)
        }
    }

    private func send(_ push: Push) async {
        let isStale = now().timeIntervalSince(push.createdAt) > pace.lifetime
        let outcome = await push.traced {
            isStale ? .refused("older than the lifetime of a push") : await attempt(push)
        }
        let hasMoved = state.withLock { $0.breakers[push.app]?.hear(outcome, at: now()) ?? false }
        if hasMoved { tell(outcome, of: push.app) }
        if case .refused(let reason) = outcome {
            let metadata: Logger.Metadata = [
                "app": "\(push.app)", "kind": "\(push.content.kind)", "reason": "\(reason)",
            ]
            logger.warning("push sender: a push was dropped", metadata: metadata)
        }
        if case .platformRejected(let reason) = outcome, push.attempts == 0 {
            let metadata: Logger.Metadata = ["app": "\(push.app)", "reason": "\(reason)"]
            logger.error("push sender: a push waits, Apple rejects the APNs certificate", metadata: metadata)
        }
        finish(PushTry(device: push.device, push: push, outcome: outcome))
    }

    private func tell(_ outcome: PushOutcome, of app: App) {
        switch outcome {
        case .misconfigured(let reason):
            logger.error("push sender: FCM rejects credentials", metadata: ["app": "\(app)", "reason": "\(reason)"])
        case .later(let reason, _):
            logger.warning(
                "push sender: FCM is unavailable, sending is paused",
                metadata: ["app": "\(app)", "reason": "\(reason)"]
            )
        default:
            logger.notice("push sender: FCM is available again", metadata: ["app": "\(app)"])
        }
    }

    private func finish(_ attempt: PushTry) {
        state.withLock { $0.tries.append(attempt) }
        recording.wake()
    }

    // MARK: Recording

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

    /// Retries until the lease ends: an unrecorded push would be sent twice.
    private func write(_ tries: [PushTry]) async {
        let end = now() + pace.lease
        while true {
            do {
                return try await journal.write(tries, of: lease)
            } catch {
                logger.warning("push sender: outcomes could not be recorded, will retry", error: error)
                guard now() < end, !Task.isCancelled else { return }
                try? await Task.sleep(for: .milliseconds(200))
            }
        }
    }
}
