import Authentication
import Contracts
import Logging
import NIOCore
import Synchronization

/// Everything of one event loop: its connections, its pools to the services, its cache of tokens. Nothing in it is shared
/// with other event loops, so that a request is served from its first byte to its last without a lock or a hop.
final class Worker {
    let core: GatewayCore
    let eventLoop: any EventLoop
    let gate: Gate
    let authenticator: Authenticator
    let pages: LocalPages
    let resumptions: Resumptions
    var clock = WallClock()
    var ids = RandomIDs()
    /// No new requests on open connections; see `drain`.
    private(set) var isDraining = false
    private(set) var tunnelCount = 0
    private let accessLog: AccessLog?
    private var upstreams: [ServiceName: Upstream] = [:]
    private var connections: [ObjectIdentifier: any TimedConnection] = [:]
    /// The tunnels that a session opened.
    private var tunnels: [String: [ObjectIdentifier: Tunnel]] = [:]
    private var anonymous: [App: IdentityLine] = [:]
    private var ticking: RepeatedTask?
    private var drained: EventLoopPromise<Void>?

    /// - Parameter pages: what the gateway answers itself.
    init(core: GatewayCore, eventLoop: any EventLoop, pages: LocalPages) {
        self.core = core
        self.eventLoop = eventLoop
        self.pages = pages
        resumptions = Resumptions(eventLoop: eventLoop)
        authenticator = Authenticator(
            verifier: AccessTokenVerifier(leeway: core.configuration.tokenLeeway),
            keys: core.keys,
            revocations: core.revocations,
            firstUses: core.firstUses,
            accounts: core.accounts,
            cacheLimit: core.configuration.tokenCacheLimit
        )
        gate = Gate(core: core, authenticator: authenticator)
        accessLog = core.logWriter.map(AccessLog.init)
    }

    /// Starts looking at the clock.
    func start() {
        let worker = NIOLoopBound(self, eventLoop: eventLoop)
        let tick = core.limits.tick
        ticking = eventLoop.scheduleRepeatedTask(initialDelay: tick, delay: tick) { _ in worker.value.tick() }
    }

    func upstream(_ service: ServiceName) -> Upstream? {
        upstreams[service]
    }

    /// Takes over the current addresses of a service.
    func update(_ service: ServiceName, _ endpoints: [Endpoint]) {
        let upstream = upstreams[service] ?? Upstream(eventLoop: eventLoop, limits: core.limits)
        upstreams[service] = upstream
        upstream.update(endpoints)
    }

    /// The line by which the gateway vouches for the caller.
    func identity(_ principal: Principal?, app: App) -> ByteBuffer {
        let secret = core.configuration.internalSecret
        guard let principal else {
            return anonymous[app, default: IdentityLine()].line(
                InternalIdentity(caller: "gateway", app: app),
                secret: secret,
                now: clock.seconds
            )
        }
        let claims = principal.claims
        return principal.identity.line(
            InternalIdentity(caller: "gateway", app: app, account: claims.account, session: claims.session),
            secret: secret,
            now: clock.seconds
        )
    }

    /// Counts a failure of an address against it.
    func failed(_ endpoint: Endpoint) {
        guard let time = endpoint.failed(now: .now()) else { return }
        core.logger.warning(
            "address ejected",
            metadata: [
                "service": "\(endpoint.service)", "address": "\(endpoint.name)",
                "seconds": "\(time.nanoseconds / 1_000_000_000)",
            ]
        )
    }

    func log(_ entry: @autoclosure () -> AccessLog.Entry) {
        accessLog?.write(entry(), at: clock)
    }
}

/// Something with a deadline that is looked at now and then: cheaper than a timer for each of many thousand requests.
protocol TimedConnection: AnyObject {
    /// Called every `Limits.tick`.
    func tick(now: NIODeadline)
    /// Ends when what is in flight has ended.
    func drain()
    /// Ends now.
    func cut()
}

// MARK: - Connections

extension Worker {
    var connectionCount: Int { connections.count }

    func add(_ connection: any TimedConnection) {
        connections[ObjectIdentifier(connection)] = connection
        if isDraining { connection.drain() }
    }

    func tunnelOpened(_ tunnel: Tunnel, _ endpoint: Endpoint?) {
        endpoint?.outstanding.wrappingAdd(1, ordering: .relaxed)
        tunnelCount += 1
        add(tunnel)
        guard let session = tunnel.session else { return }
        tunnels[session, default: [:]][ObjectIdentifier(tunnel)] = tunnel
        // It may have ended during the handshake.
        if core.revocations.cause(session) != nil { tunnel.revoke() }
    }

    func tunnelClosed(_ tunnel: Tunnel, _ endpoint: Endpoint?) {
        endpoint?.outstanding.wrappingSubtract(1, ordering: .relaxed)
        tunnelCount -= 1
        remove(tunnel)
        guard let session = tunnel.session else { return }
        tunnels[session]?[ObjectIdentifier(tunnel)] = nil
        if tunnels[session]?.isEmpty == true { tunnels[session] = nil }
    }

    func remove(_ connection: any TimedConnection) {
        connections[ObjectIdentifier(connection)] = nil
        if isDraining, connections.isEmpty { finishDrain() }
    }

    private func tick() {
        clock.update()
        authenticator.followKeys()
        let now = NIODeadline.now()
        for connection in Array(connections.values) { connection.tick(now: now) }
        for upstream in upstreams.values { upstream.prune(now: now) }
        accessLog?.flush()
    }

    /// Lets every connection end after its request, and succeeds when all have.
    func drain() -> EventLoopFuture<Void> {
        isDraining = true
        let promise = drained ?? eventLoop.makePromise()
        drained = promise
        for connection in Array(connections.values) { connection.drain() }
        if connections.isEmpty { finishDrain() }
        return promise.futureResult
    }

    /// Ends what is left after the time for draining.
    func cut() {
        for connection in Array(connections.values) { connection.cut() }
    }

    /// Ends what sessions have here: their tokens are verified anew, their WebSockets closed.
    func end(_ sessions: Set<String>) {
        authenticator.forget(sessions)
        for session in sessions {
            for tunnel in (tunnels[session] ?? [:]).values { tunnel.revoke() }
        }
    }

    private func finishDrain() {
        drained?.succeed()
        drained = nil
    }

    /// Ends everything that is not a client connection.
    func stop() {
        ticking?.cancel()
        for upstream in upstreams.values { upstream.update([]) }
        accessLog?.flush()
    }
}
