import Contracts
import FoundationEssentials
import Logging
import Postgres
import Profiles
import ServiceKit
import ServiceLifecycle
import Sockets
import Synchronization

/// With Suhyeon's sockets of this process and their dependencies. Dispatches notifications of all replicas to the
/// sockets concerned.
final class WithSuhyeonConnections: Service {
    let domain: ChatDomain
    let frameHandler: WithSuhyeonFrameHandler
    let logger: Logger
    let now: @Sendable () -> Date
    private let auth: InternalClient
    private let announcer: any Announcer
    private let state = Mutex(State())

    private struct State {
        var sockets = SocketIndex<WithSuhyeonSession>()
        /// Sockets whose ticket is being verified, with the sessions that were revoked meanwhile.
        var pending: [ObjectIdentifier: Set<String>] = [:]
        /// Number of running tasks.
        var tasks = 0
    }

    init(
        _ domain: ChatDomain,
        companions: WithSuhyeonRooms,
        auth: InternalClient,
        announcer: any Announcer,
        now: @escaping @Sendable () -> Date,
        logger: Logger
    ) {
        frameHandler = WithSuhyeonFrameHandler(
            rooms: domain.rooms,
            companions: companions,
            messages: domain.messages,
            logger: logger
        )
        self.domain = domain
        self.auth = auth
        self.announcer = announcer
        self.now = now
        self.logger = logger
    }

    // MARK: Connections

    /// Verifies a ticket with auth and registers the socket.
    ///
    /// - Returns: nil when the ticket is invalid, the account was withdrawn, or the session was revoked meanwhile.
    /// - Throws: `InternalCallError`, `PostgresError`.
    func admit(_ session: WithSuhyeonSession, ticket: TicketID) async throws -> AuthAPI.Ticket? {
        let key = ObjectIdentifier(session)
        state.withLock { $0.pending[key] = [] }
        defer { state.withLock { _ = $0.pending.removeValue(forKey: key) } }
        do {
            let holder = try await auth.get(AuthAPI.Ticket.path(ticket), as: AuthAPI.Ticket.self)
            try await domain.people.person(holder.account)
            let isAdmitted = state.withLock { state in
                guard state.pending[key]?.contains(holder.session) == false else { return false }
                if state.sockets.sockets(of: holder.account).isEmpty { watch(holder.account) }
                state.sockets.insert(session, of: holder)
                return true
            }
            guard isAdmitted else { return nil }
            await announcer.confirmWatches()
            return holder
        } catch InternalCallError.refused(_, status: 404) {
            return nil
        } catch is PersonUnknown {
            return nil
        }
    }

    func remove(_ session: WithSuhyeonSession, of holder: AuthAPI.Ticket) {
        state.withLock { state in
            let wasWatched = !state.sockets.sockets(of: holder.account).isEmpty
            state.sockets.remove(session, of: holder)
            guard wasWatched, state.sockets.sockets(of: holder.account).isEmpty else { return }
            announcer.unwatch(ChangeNotification.key(holder.account), on: ChangeNotification.channel)
        }
    }

    private func watch(_ account: AccountID) {
        announcer.watch(ChangeNotification.key(account), on: ChangeNotification.channel)
    }

    private var sessions: [WithSuhyeonSession] {
        state.withLock { $0.sockets.all }
    }

    /// Runs a task that the shutdown of the process waits for.
    func spawn(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        state.withLock { $0.tasks += 1 }
        return Task {
            await body()
            state.withLock { $0.tasks -= 1 }
        }
    }

    // MARK: Notifications

    func handle(_ notification: ChangeNotification) {
        switch notification {
        case .eventsWritten(let room, let through, let accounts):
            dispatch(.announced(room: room, through: through), to: accounts)
        case .assignmentChanged(let account): dispatch(.assignmentChanged, to: [account])
        case .roomDeleted(_, let accounts): dispatch(.assignmentChanged, to: accounts)
        case .accountWithdrawn(let account): dispatch(.sessionEnded, to: [account])
        case .sessionRevoked(let revoked):
            let ended = state.withLock { state in
                for key in state.pending.keys { state.pending[key]?.insert(revoked) }
                return state.sockets.sockets(ofSession: revoked)
            }
            for session in ended { session.dispatch(.sessionEnded) }
        case .read, .typing, .presence, .replicaLost:
            break
        }
    }

    private func dispatch(_ event: WithSuhyeonSocketState.Event, to accounts: [AccountID]) {
        for account in accounts {
            for session in state.withLock({ $0.sockets.sockets(of: account) }) { session.dispatch(event) }
        }
    }

    func handleMissedNotifications() {
        for session in sessions { session.dispatch(.notificationsMissed) }
    }

    /// Reads the assignments of all sockets again: the other replicas have taken this one for dead, so that its sockets
    /// may be active no longer.
    func handleExpiry() {
        for session in sessions { session.dispatch(.notificationsMissed) }
    }

    // MARK: Shutdown

    /// Waits for running tasks at the end.
    func run() async throws {
        try? await gracefulShutdown()
        let end = ContinuousClock.now + .seconds(5)
        while state.withLock({ $0.tasks > 0 }), ContinuousClock.now < end, !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(10))
        }
    }
}
