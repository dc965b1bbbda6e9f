import Contracts
import FoundationEssentials
import Logging
import Profiles
import ServiceKit
import ServiceLifecycle
import Sockets
import Synchronization

/// With Suhyeon's sockets of this process and their dependencies. Dispatches notifications of all replicas to the
/// sockets concerned.
final class WithSuhyeonConnections: Service {
    let desk: WithSuhyeonFrameHandler
    let joining: RoomMembership
    let presences: Presences
    let messages: Messages
    let rooms: Rooms
    let feed: LiveFeed
    let logger: Logger
    let now: @Sendable () -> Date
    private let auth: InternalClient
    private let state = Mutex(State())

    private struct State {
        var sessions: [Int64: [WithSuhyeonSession]] = [:]
        /// Sockets whose ticket is being verified, with the sessions that were revoked meanwhile.
        var asking: [ObjectIdentifier: Set<String>] = [:]
        /// Number of running tasks.
        var busy = 0
        /// Revocations of sessions may have been missed.
        var mustCheck = false
    }

    init(
        _ domain: ChatDomain,
        companions: WithSuhyeonRooms,
        auth: InternalClient,
        now: @escaping @Sendable () -> Date,
        logger: Logger
    ) {
        desk = WithSuhyeonFrameHandler(
            rooms: domain.rooms,
            companions: companions,
            messages: domain.messages,
            logger: logger
        )
        joining = domain.joining
        presences = domain.presences
        messages = domain.messages
        rooms = domain.rooms
        feed = domain.feed
        self.auth = auth
        self.now = now
        self.logger = logger
    }

    // MARK: Connections

    /// Verifies a ticket with auth and registers the socket. A session that is revoked meanwhile is refused.
    ///
    /// - Returns: nil when the session was revoked meanwhile.
    /// - Throws: `InternalCallError`, 404 for an invalid ticket; `PersonUnknown`.
    func admit(_ session: WithSuhyeonSession, ticket: Int64) async throws -> AuthAPI.Ticket? {
        let key = ObjectIdentifier(session)
        state.withLock { $0.asking[key] = [] }
        let answer: Result<AuthAPI.Ticket, any Error>
        do {
            let holder = try await auth.get(AuthAPI.Ticket.path(ticket), as: AuthAPI.Ticket.self)
            try await joining.people.person(holder.account)
            answer = .success(holder)
        } catch {
            answer = .failure(error)
        }
        return try state.withLock { state in
            let ended = state.asking.removeValue(forKey: key) ?? []
            let holder = try answer.get()
            guard !ended.contains(holder.session) else { return nil }
            state.sessions[holder.account, default: []].append(session)
            return holder
        }
    }

    func remove(_ session: WithSuhyeonSession, of account: Int64) {
        state.withLock { state in
            state.sessions[account]?.removeAll { $0 === session }
            if state.sessions[account]?.isEmpty == true { state.sessions[account] = nil }
        }
    }

    private func sessions(of account: Int64) -> [WithSuhyeonSession] {
        state.withLock { $0.sessions[account] ?? [] }
    }

    private var all: [WithSuhyeonSession] {
        state.withLock { $0.sessions.values.flatMap { $0 } }
    }

    /// Runs a task that the shutdown of the process waits for.
    func work(_ body: @escaping @Sendable () async -> Void) {
        state.withLock { $0.busy += 1 }
        Task {
            await body()
            state.withLock { $0.busy -= 1 }
        }
    }

    // MARK: Notifications

    func hear(_ notice: ChangeNotification) {
        switch notice {
        case .happened(let room, let through, let accounts):
            for account in accounts {
                for session in sessions(of: account) { session.tell { $0.happened(in: room, through: through) } }
            }
        case .turned(let account):
            for session in sessions(of: account) { session.tell { $0.turn() } }
        case .roomGone(_, let accounts):
            for account in accounts {
                for session in sessions(of: account) { session.tell { $0.turn() } }
            }
        case .sessionEnded(let ended):
            state.withLock { state in
                for key in state.asking.keys { state.asking[key]?.insert(ended) }
            }
            for session in all { session.tell { $0.end(session: ended) } }
        case .accountGone(let account):
            for session in sessions(of: account) { session.tell { $0.end(session: nil) } }
        case .read, .typing, .present:
            break
        }
    }

    /// Notifications may have been missed.
    func hearAnew() {
        state.withLock { $0.mustCheck = true }
        for session in all { session.tell { $0.lookAnew() } }
    }

    // MARK: Timer

    /// Extends the claims of active sockets while the process runs.
    func run() async throws {
        let pause = min(.seconds(5), joining.patience / 3)
        await cancelWhenGracefulShutdown { [self] in
            while !Task.isCancelled {
                do {
                    try await keep()
                    try await checkTickets()
                } catch {
                    if !Task.isCancelled { logger.warning("sockets: claims could not be extended", error: error) }
                }
                try? await Task.sleep(for: pause)
            }
        }
        let end = ContinuousClock.now + .seconds(5)
        while state.withLock({ $0.busy > 0 }), ContinuousClock.now < end, !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    private func keep() async throws {
        var receiving: [(account: Int64, socket: UUID)] = []
        for session in all {
            guard let (account, isReceiver) = await session.standing else { continue }
            // The socket that was active may have been lost with its replica.
            if isReceiver { receiving.append((account, session.id)) } else { await session.turn() }
        }
        try await joining.keep(receiving)
    }

    /// Closes sockets whose sessions were revoked while no notifications were received.
    private func checkTickets() async throws {
        guard
            state.withLock({ state in
                defer { state.mustCheck = false }
                return state.mustCheck
            })
        else { return }
        do {
            for session in all {
                guard let ticket = session.ticket else { continue }
                do {
                    _ = try await auth.get(AuthAPI.Ticket.path(ticket), as: AuthAPI.Ticket.self)
                } catch InternalCallError.refused(_, status: 404) {
                    await session.end(session: nil)
                }
            }
        } catch {
            state.withLock { $0.mustCheck = true }
            throw error
        }
    }
}
