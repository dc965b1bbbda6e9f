import Apps
import Authentication
import Contracts
import NIOCore

/// Decides how a request is handled: rate limits, route, handshake, identity. There is one per event loop, and it never
/// blocks.
final class RequestPolicy {
    enum Decision {
        case forward(Forwarding)
        case refuse(Refusal, RouteMeter)
        case answer(LocalPage)
        /// Resolve a dependency first; then decide again.
        case wait(Dependency)
    }

    /// What a decision may wait for.
    enum Dependency {
        /// The published keys, because the key of a token is unknown.
        case keys
        /// Another access token.
        case refresh(Renewal)

        var kind: DecisionWait.Dependency {
            switch self {
            case .keys: .keys
            case .refresh: .refresh
            }
        }
    }

    /// The results that a decision has already waited for.
    struct ResolvedDependencies {
        /// The outcome of fetching the published keys.
        var keys: PublishedKeys.Outcome?
        /// The outcome of the refresh.
        var refresh: RefreshCoordinator.Outcome?

        var isNothing: Bool { keys == nil && refresh == nil }
    }

    /// A request to be forwarded to a service.
    struct Forwarding {
        var meter: RouteMeter
        var route: Route
        var principal: Principal?
        var upgrade: UpgradeRequest?
    }

    /// The data about a request that decisions depend on.
    struct RequestInfo {
        /// The bytes of the request head.
        var bytes: ByteBuffer
        var limit: ClientLimit
        /// The client's IP address, for services.
        var address: String
        var known: ResolvedDependencies
        /// Seconds since 1970.
        var seconds: Int64
        var now: NIODeadline
    }

    let core: GatewayCore
    let authenticator: Authenticator
    private let meters: [RouteMeter]
    private let unknown = RouteMeter(nil)

    init(core: GatewayCore, authenticator: Authenticator) {
        self.core = core
        self.authenticator = authenticator
        self.meters = core.router.routes.map { RouteMeter($0) }
    }

    /// The meter of requests without a route.
    var unknownRoute: RouteMeter { unknown }

    /// - Parameter target: The request target; it is normalized further where the app requires it.
    func decide(_ head: RequestHead, _ target: inout RequestTarget, _ request: RequestInfo) -> Decision {
        if CrossOriginPolicy.isPreflight(head) { return page(.preflight, request) }
        do {
            if let page = try LocalPage(head.method, target) { return self.page(page, request) }
        } catch {
            return .refuse(tooMany(.general, request, nil) ?? Refusal(nil, error), unknown)
        }
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

    private func page(_ page: LocalPage, _ request: RequestInfo) -> Decision {
        if let refusal = tooMany(.general, request, nil) { return .refuse(refusal, unknown) }
        return .answer(page)
    }

    /// Counts the request against the rate limit of its address, on the first decision only.
    private func tooMany(_ rate: Operation.Rate, _ request: RequestInfo, _ app: App?) -> Refusal? {
        guard request.known.isNothing, let wait = request.limit.take(rate, now: request.now) else { return nil }
        let rates = core.configuration.rates
        let limit =
            rate == .signIn
            ? ("RATE_SIGN_IN", rates.signIn.perSecond * 60) : ("RATE_ADDRESS", rates.address.perSecond)
        return .tooMany(app, retryAfter: wait, by: limit)
    }

    private func decide(
        _ head: RequestHead,
        _ meter: RouteMeter,
        _ target: inout RequestTarget,
        _ request: RequestInfo
    ) -> Decision {
        guard let route = meter.route else { return .refuse(.unavailable(nil), meter) }
        if let refusal = tooMany(.general, request, route.app) { return .refuse(refusal, meter) }
        let operation = route.operation
        if operation.rate != .general, let refusal = tooMany(operation.rate, request, route.app) {
            return .refuse(refusal, meter)
        }
        if case .bytes(let size) = head.body, size > core.limits.bodySize(operation.body) {
            return .refuse(Refusal(route.app, fault: .bodyTooLarge), meter)
        }
        if route.app.hasKey { target.unwrapOptionals() }
        var forwarding = Forwarding(meter: meter, route: route)
        if operation.isWebSocket {
            // CORS does not apply to WebSockets (RFC 6455 §10.2).
            guard !core.crossOrigin.isForeign(head, of: request.bytes) else {
                let problem = Problem(.forbidden, message: "Pages of other sites cannot connect.")
                return .refuse(Refusal(route.app, problem), meter)
            }
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
        _ request: RequestInfo
    ) -> Decision {
        let route = forwarding.route
        guard route.operation.access.identifiesUser else { return .forward(forwarding) }
        let token = AuthorizationField.token(head.fields, of: request.bytes, for: route.app)
        let verdict =
            token.map {
                authenticator.verdict(on: $0, for: route.app, seconds: request.seconds, now: request.now)
            } ?? .refused(.unauthenticated)
        guard route.operation.refreshToken == .refreshes,
            head.fields.present.intersects(HeaderNames.refreshTokens)
        else {
            return decide(forwarding, request, verdict)
        }
        return renew(head, forwarding, request, verdict)
    }

    /// Decides by the result for the access token.
    func decide(
        _ forwarding: Forwarding,
        _ request: RequestInfo,
        _ verdict: Authenticator.AuthenticationResult
    ) -> Decision {
        let route = forwarding.route
        switch verdict {
        case .accepted(let principal):
            if let wait = principal.bucket.take(now: request.now) {
                let limit = ("RATE_ACCOUNT", core.configuration.rates.account.perSecond)
                return .refuse(.tooMany(route.app, retryAfter: wait, by: limit), forwarding.meter)
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
            case nil: return .wait(.keys)
            case .fresh: return refuse(forwarding, .accessUnverified)
            case .unavailable: return .refuse(.unavailable(route.app), forwarding.meter)
            }
        }
    }

    /// Refuses an unauthenticated request if the route requires a user; otherwise forwards it anonymously.
    func refuse(_ forwarding: Forwarding, _ kind: Problem.Kind) -> Decision {
        guard forwarding.route.operation.access == .user else { return .forward(forwarding) }
        return .refuse(.unauthenticated(forwarding.route.app, kind), forwarding.meter)
    }
}
