import Contracts
import FoundationEssentials
import Postgres
import ServiceHost
import ServiceLifecycle

/// Tells gateways of sessions that ended before their access tokens did: each asks for what it has not heard, and the
/// question waits until there is an answer.
actor RevocationFeed: Service {
    private let database: PostgresClient
    private let lifetimes: @Sendable (App) -> TokenLifetimes
    private let store = SessionStore()
    private var waiting: [UInt64: Waker] = [:]
    private var lastWaiting: UInt64 = 0
    /// How often the database was asked.
    private(set) var looks = 0

    /// The most of one answer; who is told so many asks again at once.
    static let limit = 5_000
    /// How long a question waits at most.
    static let longestWait = Duration.seconds(10)
    /// No verifier lets a token count for longer after its time, in seconds.
    private static let longestLeeway: Int64 = 300
    /// Ends are looked for so often even if nothing is heard, since a listener's connection may be lost.
    private static let sweep = Duration.seconds(1)

    init(database: PostgresClient, lifetimes: @escaping @Sendable (App) -> TokenLifetimes) {
        self.database = database
        self.lifetimes = lifetimes
    }

    func run() async throws {
        let channel = SessionStore.channel(schema: database.configuration.schema ?? "public")
        await cancelWhenGracefulShutdown { [self] in
            for await _ in self.database.notifications(on: channel) { await self.wakeAll() }
        }
    }

    /// What ended after a number, in order; waits for the next end when nothing did.
    func revocations(after number: Int64, wait: Duration) async throws -> AuthAPI.Revocations {
        let (id, waker) = enter()
        defer { leave(id) }
        let end = ContinuousClock.now + min(wait, Self.longestWait)
        while true {
            looks += 1
            let ends = try await store.ends(after: number, since: oldest, limit: Self.limit, in: database)
            guard ends.isEmpty, ContinuousClock.now < end, !Task.isCancelled, !Task.isShuttingDownGracefully else {
                return answer(ends, after: number)
            }
            let pause = min(end - .now, Self.sweep)
            await cancelWhenGracefulShutdown { await waker.sleep(atMost: pause) }
        }
    }

    /// Access tokens of sessions that ended before are past their time.
    private var oldest: Date {
        .now - Double(App.allCases.map { lifetimes($0).access }.max() ?? 0)
    }

    private func answer(_ ends: [SessionStore.End], after number: Int64) -> AuthAPI.Revocations {
        let now = Int64(Date.now.timeIntervalSince1970)
        let revocations = ends.compactMap { end -> AuthAPI.Revocations.Revocation? in
            let until = Int64(end.at.timeIntervalSince1970) + Int64(lifetimes(end.app).access) + 1
            guard until + Self.longestLeeway > now else { return nil }
            return AuthAPI.Revocations.Revocation(
                session: end.session,
                cause: AuthAPI.Revocations.Cause(end.reason),
                until: until
            )
        }
        return AuthAPI.Revocations(revocations: revocations, last: ends.last?.number ?? number)
    }

    // MARK: Waiting

    private func enter() -> (UInt64, Waker) {
        let waker = Waker()
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

extension AuthAPI.Revocations.Cause {
    fileprivate init(_ reason: Session.EndReason) {
        switch reason {
        case .leaving: self = .leaving
        case .withdrawn: self = .withdrawn
        case .signedOut, .revoked, .reused: self = .ended
        }
    }
}
