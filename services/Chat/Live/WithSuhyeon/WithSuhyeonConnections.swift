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
    let domain: ChatDomain
    let frameHandler: WithSuhyeonFrameHandler
    let logger: Logger
    let now: @Sendable () -> Date
    private let auth: InternalClient
    private let state = Mutex(State())

    private struct State {
        var sockets = SocketIndex<WithSuhyeonSession>()
        /// Sockets whose ticket is being verified, with the sessions that were revoked meanwhile.
        var pending: [ObjectIdentifier: Set<String>] = [:]
        /// Number of running tasks.
        var tasks = 0
        /// Revocations of sessions may have been missed.
        var mustCheckTickets = false
    }

    init(
        _ domain: ChatDomain,
        companions: WithSuhyeonRooms,
        auth: InternalClient,
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
            return state.withLock { state in
                guard state.pending[key]?.contains(holder.session) == false else { return nil }
                state.sockets.insert(session, of: holder)
                return holder
            }
        } catch InternalCallError.refused(_, status: 404) {
            return nil
        } catch is PersonUnknown {
            return nil
        }
    }

    func remove(_ session: WithSuhyeonSession, of holder: AuthAPI.Ticket) {
        state.withLock { $0.sockets.remove(session, of: holder) }
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
        state.withLock { $0.mustCheckTickets = true }
        for session in sessions { session.dispatch(.notificationsMissed) }
    }

    /// Reads the assignments of all sockets again: the other replicas have taken this one for dead, so that its sockets
    /// may be active no longer.
    func handleExpiry() {
        for session in sessions { session.dispatch(.notificationsMissed) }
    }

    // MARK: Timer

    /// Checks tickets when needed, and waits for running tasks at the end.
    func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            while !Task.isCancelled {
                do {
                    try await checkTickets()
                } catch {
                    if !Task.isCancelled { logger.warning("sockets: tickets could not be checked", error: error) }
                }
                try? await Task.sleep(for: .seconds(5))
            }
        }
        let end = ContinuousClock.now + .seconds(5)
        while state.withLock({ $0.tasks > 0 }), ContinuousClock.now < end, !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Closes sockets whose sessions were revoked while no notifications were received.
    private func checkTickets() async throws {
        guard state.withLock({ $0.mustCheckTickets }) else { return }
        state.withLock { $0.mustCheckTickets = false }
        do {
            for session in sessions {
                guard let ticket = session.ticket else { continue }
                do {
                    _ = try await auth.get(AuthAPI.Ticket.path(ticket), as: AuthAPI.Ticket.self)
                } catch InternalCallError.refused(_, status: 404) {
                    session.dispatch(.sessionEnded)
                }
            }
        } catch {
            state.withLock { $0.mustCheckTickets = true }
            throw error
        }
    }
}
