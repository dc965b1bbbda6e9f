import Contracts
import FoundationEssentials
import InternalClient
import NIOCore
import People
import WebSocket

/// The server's end of one of With Suhyeon's sockets, on the socket's event loop: whose it is, and the frames that come, worked off
/// one after the other. What goes out is in `CompanionSession+receiving.swift` and `CompanionSession+news.swift`.
///
/// A task exists only while something is under way. What has come is worked off also when the socket has gone meanwhile.
actor CompanionSession {
    nonisolated let id = UUID()
    /// What the phone has shown; nil for nothing that could be a ticket.
    nonisolated let ticket: Int64?
    nonisolated let eventLoop: any EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { eventLoop.executor.asUnownedSerialExecutor() }

    let house: CompanionHouse
    let openedAt: Date
    /// Nil before it is open, and when it is gone.
    private(set) var socket: NIOLoopBound<WebSocket>?
    /// Nil until auth has said whose ticket it is.
    private(set) var holder: AuthAPI.Ticket?
    private(set) var isClosed = false
    /// The phone has gone of itself, or must.
    private(set) var hasLeft = false
    var reception = CompanionReception()
    private var waiting: [ByteBuffer] = []
    private var isWorking = false
    private var allowance: FrameAllowance

    /// From so many frames on that wait, no more are read.
    private static let manyFrames = 32

    init(_ house: CompanionHouse, ticket: Int64?, openedAt: Date, on eventLoop: any EventLoop) {
        self.house = house
        self.ticket = ticket
        self.openedAt = openedAt
        self.eventLoop = eventLoop
        self.allowance = FrameAllowance(now: eventLoop.now)
    }

    /// Does something on the event loop, after everything that was told before.
    nonisolated func tell(_ body: @escaping @Sendable (isolated CompanionSession) -> Void) {
        eventLoop.execute { self.assumeIsolated(body) }
    }

    /// Who is connected, and whether this is the socket that receives; nil until it is known.
    var standing: (account: Int64, isReceiver: Bool)? {
        holder.map { ($0.account, reception.isReceiver) }
    }

    func send(_ payload: ByteBuffer) {
        socket?.value.write(.text, payload)
        socket?.value.flush()
    }

    // MARK: Coming and going

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

    /// The session that the ticket stands for has ended, or the account is no more.
    ///
    /// - Parameter session: which one has; nil for this one.
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
        // Whoever turns it around sees that it has gone.
        if !reception.isTurning { house.work { await self.leave() } }
    }

    // MARK: Frames, one after the other

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
                let frame = try CompanionFrame(bytes)
                if let view = try await house.desk.take(frame, of: holder.account) {
                    send(CompanionPayload.created(view))
                }
            } catch {
                error.count()
            }
        }
        isWorking = false
    }
}

/// How many frames a socket may send: fifty a second, and some hundred at once.
struct FrameAllowance {
    private static let most = 500.0
    private static let perSecond = 50.0

    private var left = Self.most
    private var at: NIODeadline

    init(now: NIODeadline) {
        at = now
    }

    /// - Returns: false for one too many.
    mutating func take(now: NIODeadline) -> Bool {
        left = min(left + Double((now - at).nanoseconds) / 1e9 * Self.perSecond, Self.most)
        at = now
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}
