import AppWire
import Authentication
import Contracts
import NIOCore

/// Decides what becomes of a request: limits, route, handshake, identity. One per event loop; nothing in it waits.
final class Gate {
    enum Decision {
        case forward(Forwarding)
        case refuse(Refusal, RouteMeter)
        case answer(LocalPage)
        /// The token's key is not known: ask for the published keys, then decide again.
        case awaitKeys
        /// The access token is to be renewed first; then decide again.
        case awaitRefresh(Renewal)
    }

    /// What a decision has already waited for.
    struct Known {
        /// What became of asking for the published keys.
        var keys: PublishedKeys.Outcome?
        /// What became of the refresh.
        var refresh: Refreshes.Outcome?

        var isNothing: Bool { keys == nil && refresh == nil }
    }

    /// A request that a service is to see.
    struct Forwarding {
        var meter: RouteMeter
        var route: Route
        var principal: Principal?
        var upgrade: UpgradeRequest?
    }

    /// The circumstances of a request.
    struct Circumstances {
        /// The bytes of the head.
        var bytes: ByteBuffer
        var peer: Peer
        /// The phone's address, for services.
        var peerAddress: String
        var known: Known
        /// Seconds since 1970.
        var seconds: Int64
        var now: NIODeadline
    }

    private let core: GatewayCore
    let authenticator: Authenticator
    private let meters: [RouteMeter]
    private let unknown = RouteMeter(nil)

    init(core: GatewayCore, authenticator: Authenticator) {
        self.core = core
        self.authenticator = authenticator
        self.meters = core.router.routes.map { RouteMeter($0) }
    }

    /// For requests that have no route.
    var unknownRoute: RouteMeter { unknown }

    /// - Parameter target: cleaned further where the app asks for it.
    func decide(_ head: RequestHead, _ target: inout RequestTarget, _ request: Circumstances) -> Decision {
        if CrossOriginPolicy.isPreflight(head) { return page(.preflight, request) }
        if let page = LocalPage(head.method, target) { return self.page(page, request) }
        let finding = core.router.find(
            head.method,
            target,
            host: head.host,
            key: head.fields.value(.appKey),
            in: request.bytes.readableBytesUInt8Span
        )
        switch finding {
        case .route(let index): return decide(head, meters[index], &target, request)
        case .nothing(let app, let reason):
            return .refuse(tooMany(.general, request, app) ?? Refusal(app, reason), unknown)
        }
    }

    private func page(_ page: LocalPage, _ request: Circumstances) -> Decision {
        if let refusal = tooMany(.general, request, nil) { return .refuse(refusal, unknown) }
        return .answer(page)
    }

    /// Counts the request against its address; a request that is decided for the second time was counted at the first.
    private func tooMany(_ rate: Route.Rate, _ request: Circumstances, _ app: App?) -> Refusal? {
        guard request.known.isNothing, let wait = request.peer.take(rate, now: request.now) else { return nil }
        return .tooMany(app, retryAfter: wait)
    }

    private func decide(
        _ head: RequestHead,
        _ meter: RouteMeter,
        _ target: inout RequestTarget,
        _ request: Circumstances
    ) -> Decision {
        guard let route = meter.route else { return .refuse(.unavailable(nil), meter) }
        if let refusal = tooMany(.general, request, route.app) { return .refuse(refusal, meter) }
        if route.rate != .general, let refusal = tooMany(route.rate, request, route.app) {
            return .refuse(refusal, meter)
        }
        if case .bytes(let size) = head.body, size > core.limits.bodySize(route.body) {
            return .refuse(Refusal(route.app, fault: .bodyTooLarge), meter)
        }
        if route.app.hasKey { target.unwrapOptionals() }
        var forwarding = Forwarding(meter: meter, route: route)
        if route.isSocket {
            do {
                forwarding.upgrade = try UpgradeRequest(head, request.bytes.readableBytesUInt8Span)
            } catch {
                return .refuse(.handshake(route.app, error), meter)
            }
        }
        return authenticate(head, forwarding, request)
    }

    private func authenticate(
        _ head: RequestHead,
        _ forwarding: Forwarding,
        _ request: Circumstances
    ) -> Decision {
        let route = forwarding.route
        guard route.access.asksWho else { return .forward(forwarding) }
        let token = AuthorizationField.token(head.fields, of: request.bytes, for: route.app)
        let verdict =
            token.map {
                authenticator.verdict(on: $0, for: route.app, seconds: request.seconds, now: request.now)
            } ?? .refused(.unauthenticated)
        guard route.refreshToken == .renews, head.fields.present.intersects(HeaderNames.refreshTokens) else {
            return settle(forwarding, request, verdict)
        }
        return renew(head, forwarding, request, verdict)
    }

    /// Decides by what the access token amounts to.
    func settle(_ forwarding: Forwarding, _ request: Circumstances, _ verdict: Authenticator.Verdict) -> Decision {
        let route = forwarding.route
        switch verdict {
        case .accepted(let principal):
            if let wait = principal.bucket.take(now: request.now) {
                return .refuse(.tooMany(route.app, retryAfter: wait), forwarding.meter)
            }
            var forwarding = forwarding
            forwarding.principal = principal
            return .forward(forwarding)
        case .expired:
            return refuse(forwarding, .accessExpired)
        case .refused(let kind):
            return refuse(forwarding, kind)
        case .unknownKey:
            switch request.known.keys {
            case nil: return .awaitKeys
            case .fresh: return refuse(forwarding, .unauthenticated)
            case .unavailable: return .refuse(.unavailable(route.app), forwarding.meter)
            }
        }
    }

    /// Refuses somebody who may not be nobody.
    func refuse(_ forwarding: Forwarding, _ kind: Problem.Kind) -> Decision {
        guard forwarding.route.access == .user else { return .forward(forwarding) }
        return .refuse(.unauthenticated(forwarding.route.app, kind), forwarding.meter)
    }
}
