import HTTPTypes
import NIOCore

/// The server's side of one connection: parses frames, calls the service and sends responses (STOMP 1.2; the
/// differences of 1.1 and 1.0 are supported).
///
/// It lives on the connection's event loop. A task exists only while the service handles a frame; meanwhile the
/// connection's later frames are buffered as bytes, and if too many are buffered the client is not read.
final class STOMPSession<Service: STOMPService>: WebSocketDelegate {
    enum Phase {
        /// The handshake is kept until CONNECT.
        case waiting(HTTPRequest)
        case connecting
        case connected(Service.Principal)
        /// After DISCONNECT or an ERROR frame; nothing more is read.
        case done
    }

    typealias State = STOMPState<Service>

    let service: Service
    let connection: STOMPConnection
    let outlet: STOMPOutlet
    let limits: STOMPLimits
    var phase: Phase
    var decoder: STOMPDecoder
    var beats = STOMPBeats()
    /// The client's offer of heart-beats.
    var offer = STOMPBeats.Offer()
    let connections: STOMPConnections<Service.Principal>
    private let accounts: AccountAllowances
    private var allowance: FrameAllowance
    /// nil before CONNECT was accepted.
    private var account: String?
    var pending: Task<Void, Never>?
    /// What ends the connection at this copy, when another one is to have it.
    var departure: ((ByteBuffer?) -> Void)?
    /// What another copy has handed over; nil when the socket is open.
    private var arrival: State?
    /// The principal to pass to `disconnected`.
    private var principal: Service.Principal?
    private(set) var isClosed = false
    private var timer: Scheduled<Void>?

    init(
        _ service: Service,
        handshake: HTTPRequest,
        connection: STOMPConnection,
        outlet: STOMPOutlet,
        limits: STOMPLimits,
        connections: STOMPConnections<Service.Principal>,
        accounts: AccountAllowances,
        arrival: State? = nil
    ) {
        self.service = service
        self.phase = .waiting(handshake)
        self.connection = connection
        self.outlet = outlet
        self.limits = limits
        self.connections = connections
        self.accounts = accounts
        self.arrival = arrival
        self.allowance = FrameAllowance(limits.frames, now: connection.eventLoop.now)
        self.decoder = STOMPDecoder(limits)
    }

    // MARK: WebSocketDelegate

    func opened(_ socket: WebSocket) {
        outlet.open(socket)
        guard let arrival else { return expectConnect() }
        self.arrival = nil
        arrive(arrival, on: socket)
    }

    func expectConnect() {
        timer = connection.eventLoop.assumeIsolated().scheduleTask(in: limits.connectTime) { [self] in
            if case .waiting = phase { outlet.refuse(STOMPRefusal("There was no CONNECT in time.")) }
        }
    }

    /// Frames may be split over messages and combined in them arbitrarily. A binary message is parsed like a text
    /// message: clients send one for bodies that are not UTF-8, STOMP is defined on bytes, and headers are validated as
    /// UTF-8 here.
    func received(_ message: WebSocketMessage) {
        switch message {
        case .text(let bytes), .binary(let bytes): decoder.append(bytes)
        }
        readFrames()
    }

    func closed(_ end: WebSocketEnd) {
        isClosed = true
        timer?.cancel()
        beats.stop()
        outlet.close()
        pending?.cancel()
        if pending == nil { leave(hasMoved: end == .moved) }
    }

    func leave(hasMoved: Bool) {
        guard let principal else { return }
        self.principal = nil
        if let account { accounts.leave(account) }
        connections.remove(connection)
        service.disconnected(connection, as: principal, hasMoved: hasMoved)
    }

    // MARK: Frames

    func readFrames() {
        do throws(STOMPRefusal) {
            while pending == nil, !isDone, let event = try decoder.next() {
                guard case .frame(let frame) = event else { continue }
                try spendAllowance()
                try take(frame)
            }
        } catch {
            refuse(error, receipt: nil)
        }
        if pending != nil, decoder.waiting > limits.waitingSize {
            outlet.socket?.pauseReading()
        } else {
            outlet.socket?.resumeReading()
        }
        departWhenIdle()
    }

    /// Counts a frame, for the connection and for the account.
    private func spendAllowance() throws(STOMPRefusal) {
        let now = connection.eventLoop.now
        guard allowance.take(now: now), account.map({ accounts.take($0, now: now) }) ?? true else {
            throw STOMPRefusal("You send too many frames; wait a minute.")
        }
    }

    private var isDone: Bool {
        if case .done = phase { true } else { isClosed }
    }

    func refuse(_ refusal: STOMPRefusal, receipt: String?) {
        phase = .done
        outlet.refuse(refusal, receipt: receipt)
    }

    /// Calls the service. If it succeeds, `then` runs on the event loop, followed by the frames that have waited.
    ///
    /// - Parameter destination: That of SUBSCRIBE and SEND; the header has no meaning in other frames.
    func ask<Answer: Sendable>(
        _ frame: STOMPFrame,
        about destination: String? = nil,
        _ question: @escaping @Sendable () async throws(STOMPRefusal) -> Answer,
        then: @escaping (Answer) -> Void
    ) {
        let answered = { [self] (answer: Result<Answer, STOMPRefusal>) in
            pending = nil
            switch answer {
            case .success(let answer):
                then(answer)
                if !isClosed { confirm(frame) }
            case .failure(let refusal):
                refuse(refusal, receipt: frame.headers["receipt"])
            }
            if isClosed { leave(hasMoved: false) } else { readFrames() }
            outlet.socket?.flush()
        }
        let answer = NIOLoopBound(answered, eventLoop: connection.eventLoop)
        let (command, account) = (frame.command, account)
        pending = Task { [eventLoop = connection.eventLoop] in
            let result = await withFrameSpan("STOMP \(command)", destination: destination, account: account, question)
            eventLoop.execute { answer.value(result) }
        }
    }

    /// Sends the receipt that a frame requests, after it has taken effect.
    func confirm(_ frame: STOMPFrame) {
        guard let receipt = frame.headers["receipt"] else { return }
        outlet.socket?.write(STOMPEncoder.frame("RECEIPT", [("receipt-id", receipt)], version: outlet.version))
    }

    func connected(_ principal: Service.Principal) {
        self.principal = principal
        let account = service.account(of: principal)
        self.account = account
        accounts.enter(account, now: connection.eventLoop.now)
        connections.add(connection, principal)
        guard !isClosed else { return }
        phase = .connected(principal)
        timer?.cancel()
        timer = nil
    }
}
