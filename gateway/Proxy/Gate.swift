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
    }

    /// A request that a service is to see.
    struct Forwarding {
        var meter: RouteMeter
        var route: Route
        var principal: Principal?
        var upgrade: UpgradeRequest?
    }

    /// The request to decide about.
    struct Candidate {
        var head: RequestHead
        /// The bytes of the head.
        var bytes: ByteBuffer
        var peer: Peer
        /// What became of asking for the published keys, once that was done for this request.
        var keys: PublishedKeys.Outcome?
    }

    private let core: GatewayCore
    private let authenticator: Authenticator
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
    func decide(_ candidate: Candidate, _ target: inout RequestTarget, seconds: Int64, now: NIODeadline) -> Decision {
        // A request that is decided for the second time was counted at the first.
        if candidate.keys == nil, let wait = candidate.peer.take(.general, now: now) {
            return .refuse(.tooMany(nil, retryAfter: wait), unknown)
        }
        let head = candidate.head
        let bytes = candidate.bytes.readableBytesUInt8Span
        if CrossOriginPolicy.isPreflight(head) { return .answer(.preflight) }
        if let page = LocalPage(head.method, target) { return .answer(page) }
        let key = head.fields.value(.appKey)
        switch core.router.find(head.method, target, host: head.host, key: key, in: bytes) {
        case .route(let index):
            return decide(candidate, meters[index], &target, seconds: seconds, now: now)
        case .appKey(let app):
            return .refuse(Refusal(app, Problem(.appKey, message: "The app's key is missing or unknown.")), unknown)
        case .unknown(let app):
            return .refuse(Refusal(app, Problem(.unknownRoute, message: "There is nothing at this address.")), unknown)
        case .methodNotAllowed(let app, let methods):
            var refusal = Refusal(
                app,
                Problem(.methodNotAllowed, message: "This address does not take that method.")
            )
            refusal.lines = "Allow: \(methods.map { "\($0.spelling)" }.joined(separator: ", "))\r\n"
            return .refuse(refusal, unknown)
        }
    }

    private func decide(
        _ candidate: Candidate,
        _ meter: RouteMeter,
        _ target: inout RequestTarget,
        seconds: Int64,
        now: NIODeadline
    ) -> Decision {
        guard let route = meter.route else { return .refuse(.unavailable(nil), meter) }
        if candidate.keys == nil, route.rate != .general, let wait = candidate.peer.take(route.rate, now: now) {
            return .refuse(.tooMany(route.app, retryAfter: wait), meter)
        }
        if case .bytes(let size) = candidate.head.body, size > core.limits.bodySize(route.body) {
            return .refuse(Refusal(route.app, fault: .bodyTooLarge), meter)
        }
        if route.app == .anlaka || route.app == .culture { target.unwrapOptionals() }
        var forwarding = Forwarding(meter: meter, route: route)
        if route.isSocket {
            do {
                forwarding.upgrade = try UpgradeRequest(candidate.head, candidate.bytes.readableBytesUInt8Span)
            } catch {
                return .refuse(.handshake(route.app, error), meter)
            }
        }
        return authenticate(candidate, forwarding, seconds: seconds, now: now)
    }

    private func authenticate(
        _ candidate: Candidate,
        _ forwarding: Forwarding,
        seconds: Int64,
        now: NIODeadline
    ) -> Decision {
        let route = forwarding.route
        guard route.access == .user || route.access == .optional else { return .forward(forwarding) }
        guard let token = AuthorizationField.token(candidate.head.fields, of: candidate.bytes, for: route.app) else {
            return refuse(forwarding, .unauthenticated)
        }
        switch authenticator.verdict(on: token, for: route.app, seconds: seconds, now: now) {
        case .accepted(let principal):
            if let wait = principal.bucket.take(now: now) {
                return .refuse(.tooMany(route.app, retryAfter: wait), forwarding.meter)
            }
            var forwarding = forwarding
            forwarding.principal = principal
            return .forward(forwarding)
        case .refused(let kind):
            return refuse(forwarding, kind)
        case .unknownKey:
            switch candidate.keys {
            case nil: return .awaitKeys
            case .fresh: return refuse(forwarding, .unauthenticated)
            case .unavailable: return .refuse(.unavailable(route.app), forwarding.meter)
            }
        }
    }

    private func refuse(_ forwarding: Forwarding, _ kind: Problem.Kind) -> Decision {
        guard forwarding.route.access == .user else { return .forward(forwarding) }
        return .refuse(.unauthenticated(forwarding.route.app, kind), forwarding.meter)
    }
}
