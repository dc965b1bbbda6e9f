import Contracts
import FoundationEssentials
import NIOCore
import Profiles
import ServiceKit
import Sockets

/// One of With Suhyeon's sockets on the server, isolated to its event loop. Authenticates the client and handles its
/// frames one after the other. Sending is in `WithSuhyeonSession+receiving.swift` and `WithSuhyeonSession+news.swift`.
///
/// A task exists only while there is work. Received frames are handled even when the socket has closed meanwhile.
actor WithSuhyeonSession {
    nonisolated let id = UUID()
    /// The ticket of the handshake; nil when it is malformed.
    nonisolated let ticket: Int64?
    nonisolated let eventLoop: any EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { eventLoop.executor.asUnownedSerialExecutor() }

    let house: WithSuhyeonConnections
    let openedAt: Date
    /// Nil before the socket is open, and after it has closed.
    private(set) var socket: NIOLoopBound<WebSocket>?
    /// Nil until auth has verified the ticket.
    private(set) var holder: AuthAPI.Ticket?
    private(set) var isClosed = false
    /// The client has closed the socket, or the session has ended.
    private(set) var hasLeft = false
    var reception = WithSuhyeonSubscriptionState()
    private var waiting: [ByteBuffer] = []
    private var isWorking = false
    private var allowance: FrameAllowance

    /// When this many frames are pending, reading is paused.
    private static let manyFrames = 32

    init(_ house: WithSuhyeonConnections, ticket: Int64?, openedAt: Date, on eventLoop: any EventLoop) {
        self.house = house
        self.ticket = ticket
        self.openedAt = openedAt
        self.eventLoop = eventLoop
        self.allowance = FrameAllowance(now: eventLoop.now)
    }

    /// Runs a closure on the event loop, after all earlier ones.
    nonisolated func tell(_ body: @escaping @Sendable (isolated WithSuhyeonSession) -> Void) {
        eventLoop.execute { self.assumeIsolated(body) }
    }

    /// The account, and whether this is its active socket; nil before authentication.
    var standing: (account: Int64, isReceiver: Bool)? {
        holder.map { ($0.account, reception.isReceiver) }
    }

    func send(_ payload: ByteBuffer) {
        socket?.value.write(.text, payload)
        socket?.value.flush()
    }

    // MARK: Opening and closing

    func opened(_ socket: NIOLoopBound<WebSocket>) {
        self.socket = socket
        guard let ticket else { return socket.value.close(.policyViolation, "userId must be a ticket") }
        house.work { await self.admit(ticket) }
    }

    private func admit(_ ticket: Int64) async {
        do {
            guard let holder = try await house.admit(self, ticket: ticket) else { return refuse() }
            self.holder = holder
            work()
            if isClosed { house.remove(self, of: holder.account) } else { turn() }
        } catch InternalCallError.refused(_, status: 404) {
            refuse()
        } catch is PersonUnknown {
            refuse()
        } catch {
            waiting = []
            socket?.value.close(.tryAgainLater, "it cannot be told whose ticket this is, try again")
        }
    }

    private func refuse() {
        waiting = []
        socket?.value.close(.policyViolation, "this is no ticket, or its session has ended")
    }

    /// Closes the socket when its session was revoked or its account withdrawn.
    ///
    /// - Parameter session: The revoked session; nil to close in any case.
    func end(session: String?) {
        guard let holder, session == nil || holder.session == session else { return }
        waiting = []
        hasLeft = true
        socket?.value.close(.policyViolation, "the session has ended")
    }

    func closed(_ end: WebSocketEnd) {
        isClosed = true
        socket = nil
        if case .closedByPeer(let code, _) = end, code == nil || code == .normal || code == .goingAway {
            hasLeft = true
        }
        guard let holder else { return }
        house.remove(self, of: holder.account)
        // A running `turnAround` leaves by itself.
        if !reception.isTurning { house.work { await self.leave() } }
    }

    // MARK: Frames

    func received(_ message: WebSocketMessage) {
        guard allowance.take(now: eventLoop.now) else {
            socket?.value.close(.policyViolation, "too many frames")
            return
        }
        switch message {
        case .binary:
            DroppedFrame.binary.count()
        case .text(let bytes):
            waiting.append(bytes)
            if waiting.count >= Self.manyFrames { socket?.value.pauseReading() }
            work()
        }
    }

    private func work() {
        guard !isWorking, holder != nil, !waiting.isEmpty else { return }
        isWorking = true
        house.work { await self.workOff() }
    }

    private func workOff() async {
        while let holder, !waiting.isEmpty {
            let bytes = waiting.removeFirst()
            if waiting.count < Self.manyFrames { socket?.value.resumeReading() }
            do throws(DroppedFrame) {
                let frame = try WithSuhyeonFrame(bytes)
                if let view = try await house.desk.take(frame, of: holder.account) {
                    send(WithSuhyeonPayload.created(view))
                }
            } catch {
                error.count()
            }
        }
        isWorking = false
    }
}

/// Rate limit of a socket's frames: 50 per second, with a burst of 500.
struct FrameAllowance {
    private static let most = 500.0
    private static let perSecond = 50.0

    private var left = Self.most
    private var at: NIODeadline

    init(now: NIODeadline) {
        at = now
    }

    /// - Returns: false when the limit is exceeded.
    mutating func take(now: NIODeadline) -> Bool {
        left = min(left + Double((now - at).nanoseconds) / 1e9 * Self.perSecond, Self.most)
        at = now
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}
