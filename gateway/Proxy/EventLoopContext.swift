import Apps
import Authentication
import Contracts
import Logging
import NIOCore
import Synchronization

/// The state of one event loop: its connections, connection pools and token cache. It is not shared with other event
/// loops, so that a request is served without a lock or a change of threads.
final class EventLoopContext {
    let core: GatewayCore
    let eventLoop: any EventLoop
    let policy: RequestPolicy
    let authenticator: Authenticator
    let pages: LocalPages
    let responses: ResponseHeadWriter
    let compressor = ResponseCompressor()
    let resumptions: Resumptions
    /// Tunnels on their way from one copy of their service to another.
    let moves = TunnelMoves()
    var hedges = HedgeBudget()
    var clock = WallClock()
    var ids = RandomIDs()
    /// Whether open connections accept no new requests; see `drain`.
    private(set) var isDraining = false
    /// Whether connections move to another process.
    var isMoving = false
    private(set) var tunnelCount = 0
    private let accessLog: AccessLog?
    /// Requests of which no span has been made yet.
    private var ended: [RequestSpan] = []
    private var upstreams: [ServiceName: Upstream] = [:]
    private var connections: [ObjectIdentifier: any TimedConnection] = [:]
    /// The open tunnels by session id.
    private var tunnels: [String: [ObjectIdentifier: Tunnel]] = [:]
    private var anonymous: [App: IdentityLine] = [:]
    /// The keys for calls of services.
    let keys: [ServiceName: CallKey]
    private var ticking: RepeatedTask?
    private var drained: EventLoopPromise<Void>?

    /// - Parameter pages: The pages that the gateway serves itself.
    init(core: GatewayCore, eventLoop: any EventLoop, pages: LocalPages) {
        self.core = core
        self.eventLoop = eventLoop
        self.pages = pages
        responses = ResponseHeadWriter(
            headers: core.headers,
            variesByOrigin: !core.configuration.corsOrigins.isEmpty
        )
        resumptions = Resumptions(eventLoop: eventLoop)
        let pairs = ServiceName.allCases.map { ($0, core.configuration.internalKeys.key(to: $0).unshared) }
        keys = Dictionary(uniqueKeysWithValues: pairs)
        authenticator = Authenticator(
            verifier: AccessTokenVerifier(leeway: core.configuration.tokenLeeway),
            keys: core.keys,
            revocations: core.revocations,
            firstUses: core.firstUses,
            accounts: core.accounts,
            cacheLimit: core.configuration.tokenCacheLimit
        )
        policy = RequestPolicy(core: core, authenticator: authenticator)
        accessLog = core.logWriter.map(AccessLog.init)
    }

    /// Starts the periodic check of deadlines.
    func start() {
        let context = NIOLoopBound(self, eventLoop: eventLoop)
        let tick = core.limits.tick
        ticking = eventLoop.scheduleRepeatedTask(initialDelay: tick, delay: tick) { _ in context.value.tick() }
    }

    /// The addresses for a request of an operation; nil if the service is not known.
    func candidates(_ operation: Operation) -> EndpointCandidates? {
        upstreams[operation.service].map { upstream in
            EndpointCandidates(
                upstream,
                orUnready: operation.servedWhileUnready,
                isSocket: operation.isWebSocket,
                attempts: core.limits.connectAttempts
            )
        }
    }

    /// The addresses of a service that a socket may move to.
    ///
    /// - Parameter endpoint: The one that it comes from; nil if all have been tried.
    func candidates(of service: ServiceName, avoiding endpoint: Endpoint?) -> EndpointCandidates? {
        upstreams[service].map { upstream in
            EndpointCandidates(
                upstream,
                orUnready: endpoint == nil,
                isSocket: true,
                attempts: 1,
                avoiding: endpoint
            )
        }
    }

    /// The address of a service with a name; see `Endpoint.name`.
    func endpoint(_ service: ServiceName, _ name: String?) -> Endpoint? { upstreams[service]?.endpoint(name) }

    /// Replaces the addresses of a service.
    func update(_ service: ServiceName, _ endpoints: [Endpoint]) {
        let upstream = upstreams[service] ?? Upstream(eventLoop: eventLoop, limits: core.limits)
        upstreams[service] = upstream
        upstream.update(endpoints)
    }

    /// The header line that identifies the caller to a service.
    func identity(_ principal: Principal?, app: App) -> IdentityLine {
        if let line = principal?.identity ?? anonymous[app] { return line }
        let line = IdentityLine(InternalIdentity(caller: .gateway, app: app))
        anonymous[app] = line
        return line
    }

    /// Records a failure of an address.
    func failed(_ endpoint: Endpoint) {
        guard let time = endpoint.failed(now: .now()) else { return }
        core.logger.warning(
            "upstreams: address ejected",
            metadata: [
                "service": "\(endpoint.service)", "address": "\(endpoint.name)",
                "seconds": "\(time.nanoseconds / 1_000_000_000)",
            ]
        )
    }

    func log(_ entry: @autoclosure () -> AccessLog.Entry) {
        accessLog?.write(entry(), at: clock)
    }

    /// Has a span made of a request, if spans are exported.
    func trace(_ request: @autoclosure () -> RequestSpan) {
        guard core.spans != nil else { return }
        ended.append(request())
        if ended.count >= Self.spanBatch { flushSpans() }
    }

    private func flushSpans() {
        guard let spans = core.spans, !ended.isEmpty else { return }
        spans.add(ended)
        ended = []
        ended.reserveCapacity(Self.spanBatch)
    }

    private static let spanBatch = 256
}

/// A connection with deadlines. One periodic check is cheaper than a timer for each of many thousands of requests.
protocol TimedConnection: AnyObject {
    /// Called every `Limits.tick`.
    func tick(now: NIODeadline)
    /// Closes the connection once the request in flight is complete.
    func drain()
    /// Closes the connection immediately.
    func cut()
    /// Whether the connection can move to another process, at once or after the request in flight.
    var canMove: Bool { get }
    /// Stops the connection if nothing is under way, for another process that takes it over.
    ///
    /// - Returns: Its description and its descriptors, which the caller closes; nil while it cannot move.
    func leave() -> (MovedConnection, [CInt])?
    /// Goes on after `leave`.
    func stay()
}

// MARK: - Connections

extension EventLoopContext {
    var connectionCount: Int { connections.count }

    /// All connections; those that close while they are gone through are still among them.
    var all: Dictionary<ObjectIdentifier, any TimedConnection>.Values { connections.values }

    func add(_ connection: any TimedConnection) {
        connections[ObjectIdentifier(connection)] = connection
        if isDraining || isMoving && !connection.canMove { connection.drain() }
    }

    func tunnelOpened(_ tunnel: Tunnel, _ endpoint: Endpoint?) {
        endpoint?.tunnels.wrappingAdd(1, ordering: .relaxed)
        tunnelCount += 1
        add(tunnel)
        guard let session = tunnel.session else { return }
        tunnels[session, default: [:]][ObjectIdentifier(tunnel)] = tunnel
        // The session may have ended during the handshake.
        if core.revocations.cause(session) != nil { tunnel.revoke() }
    }

    func tunnelClosed(_ tunnel: Tunnel, _ endpoint: Endpoint?) {
        endpoint?.tunnels.wrappingSubtract(1, ordering: .relaxed)
        tunnelCount -= 1
        remove(tunnel)
        guard let session = tunnel.session else { return }
        tunnels[session]?[ObjectIdentifier(tunnel)] = nil
        if tunnels[session]?.isEmpty == true { tunnels[session] = nil }
    }

    /// Counts a tunnel for another address of its service; nil for none.
    func tunnelMoved(from old: Endpoint?, to new: Endpoint?) {
        old?.tunnels.wrappingSubtract(1, ordering: .relaxed)
        new?.tunnels.wrappingAdd(1, ordering: .relaxed)
    }

    /// The bytes of a frame to a service.
    func frame(_ frame: GatewayFrame) -> ByteBuffer {
        frame.bytes(maskedBy: UInt32(truncatingIfNeeded: ids.next()))
    }

    func remove(_ connection: any TimedConnection) {
        connections[ObjectIdentifier(connection)] = nil
        if isDraining, connections.isEmpty { finishDrain() }
    }

    /// Checks the deadlines, and which copies can serve.
    func tick() {
        clock.update()
        authenticator.followKeys()
        let now = NIODeadline.now()
        authenticator.age(now: now)
        leaveFailing(now: now)
        for connection in all { connection.tick(now: now) }
        for upstream in upstreams.values { upstream.prune(now: now) }
        accessLog?.flush()
        flushSpans()
    }

    /// Takes WebSockets away from copies that cannot serve them.
    private func leaveFailing(now: NIODeadline) {
        let abandoned = upstreams.values.flatMap { $0.abandoned(now: now) }
        guard !abandoned.isEmpty else { return }
        for case let tunnel as Tunnel in all {
            guard let why = abandoned.first(where: { $0.endpoint === tunnel.endpoint })?.why else { continue }
            tunnel.leave(why, now: now)
        }
    }

    /// Lets every connection close after its current request; the future succeeds when all are closed.
    func drain() -> EventLoopFuture<Void> {
        isDraining = true
        let promise = drained ?? eventLoop.makePromise()
        drained = promise
        for connection in all { connection.drain() }
        if connections.isEmpty { finishDrain() }
        return promise.futureResult
    }

    /// Closes the connections that are still open after the drain time.
    func cut() {
        for connection in all { connection.cut() }
    }

    /// Closes the WebSockets of sessions that have ended.
    func end(_ sessions: Set<String>) {
        for session in sessions {
            for tunnel in (tunnels[session] ?? [:]).values { tunnel.revoke() }
        }
    }

    private func finishDrain() {
        drained?.succeed()
        drained = nil
    }

    /// Stops everything that is not a client connection.
    func stop() {
        ticking?.cancel()
        for upstream in upstreams.values { upstream.update([]) }
        accessLog?.flush()
        flushSpans()
    }
}
