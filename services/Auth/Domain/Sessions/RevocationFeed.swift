import Contracts
import FoundationEssentials
import Logging
import Metrics
import Postgres
import ServiceKit
import ServiceLifecycle
import Values

/// Serves revoked sessions to gateways by long polling: a request after a number waits until there are newer ones.
actor RevocationFeed: Service {
    private let database: PostgresClient
    private let lifetimes: @Sendable (App) -> TokenLifetimes
    private let logger: Logger
    private let store = SessionStore()
    private let delay = Timer(label: "session_end_seconds")
    private var waiting: [UInt64: AsyncSignal] = [:]
    private var lastWaiting: UInt64 = 0
    /// Number of database queries, for tests.
    private(set) var looks = 0

    /// Maximum number of entries in a response; the gateway requests the next page at once.
    static let limit = 5_000
    /// Maximum wait of a request.
    static let longestWait = Duration.seconds(10)
    /// Upper bound of the verifiers' leeway after a token's expiry, in seconds.
    private static let longestLeeway: Int64 = 300
    /// Polling interval that covers announcements lost with the listener's connection; half the second within which gateways
    /// are to refuse the tokens.
    private static let sweep = Duration.milliseconds(500)

    /// The age of an end, in seconds, from which it is late: gateways are to refuse the tokens within a second.
    private static let late: TimeInterval = 1

    init(database: PostgresClient, lifetimes: @escaping @Sendable (App) -> TokenLifetimes, logger: Logger) {
        self.database = database
        self.lifetimes = lifetimes
        self.logger = logger
    }

    func run() async throws {
        let channel = SessionStore.announcement.channel
        await cancelWhenGracefulShutdown { [self] in
            for await _ in self.database.announcer.notifications(on: channel) { await self.wakeAll() }
        }
    }

    /// The sessions revoked after a number, in order; waits for the next one when there is none.
    func revocations(after number: Int64, wait: Duration) async throws -> AuthAPI.Revocations {
        let (id, waker) = enter()
        defer { leave(id) }
        let asked = ContinuousClock.now
        let end = asked + min(wait, Self.longestWait)
        // What was announced before is in the first look.
        if Sabotage.lostWakeUp.isBuiltIn { await waker.sleep(atMost: end - .now) }
        while true {
            looks += 1
            let ends = try await store.ends(after: number, since: oldest, limit: Self.limit, in: database)
            guard ends.isEmpty, ContinuousClock.now < end, !Task.isCancelled, !Task.isShuttingDownGracefully else {
                // The first answer to a gateway has all ends of the last minutes.
                if number > 0 { note(ends, asked: asked) }
                return answer(ends, after: number)
            }
            let pause = min(end - .now, Self.sweep)
            await withGracefulShutdownHandler {
                await waker.sleep(atMost: pause)
            } onGracefulShutdown: {
                waker.wake()
            }
        }
    }

    /// Access tokens of sessions that ended before this time have expired.
    private var oldest: Date {
        .now - Double(App.allCases.map { lifetimes($0).access }.max() ?? 0)
    }

    private func note(_ ends: [SessionStore.End], asked: ContinuousClock.Instant) {
        let now = Date.now
        for end in ends { delay.recordSeconds(now.timeIntervalSince(end.at)) }
        guard let age = ends.map({ now.timeIntervalSince($0.at) }).max(), age > Self.late else { return }
        logger.warning(
            "revocations: answered late",
            metadata: ["seconds": "\(age)", "waited": "\((.now - asked) / .seconds(1))", "ends": "\(ends.count)"]
        )
    }

    private func answer(_ ends: [SessionStore.End], after number: Int64) -> AuthAPI.Revocations {
        let now = Int64(Date.now.timeIntervalSince1970)
        let revocations = ends.compactMap { end -> AuthAPI.Revocations.Revocation? in
            let revocation = AuthAPI.Revocations.Revocation(
                end.session,
                AuthAPI.Revocations.Cause(end.reason),
                at: end.at,
                lifetimes(end.app)
            )
            return revocation.until + Self.longestLeeway > now ? revocation : nil
        }
        return AuthAPI.Revocations(revocations: revocations, last: ends.last?.number ?? number)
    }

    // MARK: Waiting

    private func enter() -> (UInt64, AsyncSignal) {
        let waker = AsyncSignal()
        lastWaiting += 1
        waiting[lastWaiting] = waker
        return (lastWaiting, waker)
    }

    private func leave(_ id: UInt64) {
        waiting[id] = nil
    }

    private func wakeAll() {
        for waker in waiting.values { waker.wake() }
    }
}

extension AuthAPI.Revocations.Revocation {
    /// - Parameters:
    ///   - instant: When the session ended.
    ///   - lifetimes: Those of its app.
    init(_ session: String, _ cause: AuthAPI.Revocations.Cause, at instant: Date, _ lifetimes: TokenLifetimes) {
        let until = Int64(instant.timeIntervalSince1970) + Int64(lifetimes.access) + 1
        self.init(session: session, cause: cause, until: until)
    }
}

extension AuthAPI.Revocations.Cause {
    init(_ reason: Session.EndReason) {
        switch reason {
        case .leaving: self = .leaving
        case .withdrawn: self = .withdrawn
        case .signedOut, .revoked, .reused: self = .ended
        }
    }
}
