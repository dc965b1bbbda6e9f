import Apps
import Authentication
import Contracts
import NIOCore

/// One request and its response: what is written into their heads and recorded about them.
final class HTTPExchange {
    let meter: RouteMeter
    let app: App?
    let principal: Principal?
    let method: Method
    let upgrade: UpgradeRequest?
    private(set) var trace: TraceIDs
    /// The origin of the calling web page, if it is allowed.
    let origin: ByteBuffer?
    /// Whether the gateway compresses responses, and whether the client takes gzip.
    let isCompressionOn: Bool
    let acceptsGzip: Bool
    /// Whether the client has content under a weak entity tag, as the gateway writes it for compressed content.
    let hasWeakTag: Bool
    /// The renewed tokens to send with the response.
    let renewed: RenewedTokens?
    let startedAt: NIODeadline
    /// The maximum size of the request's body, in bytes.
    let bodyLimit: Int

    /// The expected wait at a service from which it is not sent there; nil for any.
    let longestWait: TimeAmount?
    /// The addresses that the request may be sent to; nil if it is not forwarded.
    var candidates: EndpointCandidates?
    /// Whether it may be sent to two addresses at once: a read without content, of which the first response counts.
    let mayBeHedged: Bool
    /// The response, if it is compressed when it is complete.
    var held: HeldResponse?
    /// The gateway's own answer, if it is an error.
    var refusal: Refusal?
    var status = 0
    var bytesOut = 0

    /// Creates the exchange of a request whose head is complete.
    ///
    /// - Parameters:
    ///   - forwarding: nil if the gateway responds itself.
    ///   - isOfProxy: Whether the client is a proxy that is trusted.
    init(
        _ request: RequestReader,
        _ meter: RouteMeter,
        _ app: App?,
        _ forwarding: RequestPolicy.Forwarding?,
        _ renewed: RenewedTokens?,
        isOfProxy: Bool,
        on loop: EventLoopContext,
        startedAt: NIODeadline
    ) {
        let (fields, bytes) = (request.head.fields, request.headBytes)
        self.meter = meter
        self.app = app
        self.renewed = renewed
        self.startedAt = startedAt
        principal = forwarding?.principal
        upgrade = forwarding?.upgrade
        candidates = forwarding.flatMap { loop.candidates($0.route.operation) }
        longestWait = forwarding.flatMap { loop.core.limits.longestWait($0.route.operation.priority) }
        mayBeHedged = upgrade == nil && request.head.method.isSafe && request.head.body == .none
        bodyLimit = loop.core.limits.bodySize(meter.route?.operation.body ?? .document)
        method = request.head.method
        trace = TraceIDs(
            parent: fields.value(.traceparent),
            isTrusted: isOfProxy,
            in: bytes.readableBytesUInt8Span,
            ids: &loop.ids
        )
        trace.isSampled = loop.core.spans?.samples(trace.traceID) ?? false
        origin = loop.core.crossOrigin.origin(fields, of: bytes)
        isCompressionOn = loop.core.configuration.gzip
        acceptsGzip = isCompressionOn && AcceptEncoding(fields, of: bytes.readableBytesUInt8Span).allowsGzip
        hasWeakTag = fields.nameWeakTag(in: bytes.readableBytesUInt8Span)
    }

    /// Creates the exchange of bytes that are not a request.
    init(unreadableOn loop: EventLoopContext, startedAt: NIODeadline) {
        meter = loop.policy.unknownRoute
        app = nil
        principal = nil
        upgrade = nil
        renewed = nil
        longestWait = nil
        mayBeHedged = false
        bodyLimit = 0
        self.startedAt = startedAt
        method = .other
        trace = TraceIDs(ids: &loop.ids)
        origin = nil
        isCompressionOn = false
        acceptsGzip = false
        hasWeakTag = false
    }

    /// Whether a header field of a service's response is withheld from the client.
    func drops(_ name: HeaderName) -> Bool {
        HeaderNames.droppedFromAnswers.contains(name) || (name == .cacheControl && renewed != nil)
    }

    /// Records the end of the exchange in the metrics and the access log.
    ///
    /// - Parameters:
    ///   - target: The target of the request.
    ///   - bytesIn: The size of the request's body that was accepted.
    ///   - client: The client's IP address.
    func record(_ target: RequestTarget, bytesIn: Int, client: String, on loop: EventLoopContext, now: NIODeadline) {
        let took = now - startedAt
        let recorded = loop.core.spans == nil ? nil : trace.context
        meter.record(status: status, took: took, of: recorded, at: loop.clock)
        loop.trace(
            RequestSpan(
                ids: trace,
                method: method.spelling,
                route: meter.name,
                app: app,
                status: status,
                bytesIn: bytesIn,
                bytesOut: bytesOut,
                took: took,
                upstream: candidates?.current.map { ($0.service, $0.name) },
                claims: principal?.claims,
                refusal: refusal
            )
        )
        loop.log(
            AccessLog.Entry(
                method: method.spelling,
                path: method == .other ? nil : target.bytes[..<target.pathEnd],
                route: meter.name,
                app: app.spelling,
                status: status,
                bytesIn: bytesIn,
                bytesOut: bytesOut,
                took: took,
                client: client,
                ids: trace,
                upstream: candidates?.current?.name ?? "-"
            )
        )
    }
}

extension App? {
    /// The app's name in logs.
    fileprivate var spelling: StaticString {
        switch self {
        case .seatcatcher: "seatcatcher"
        case .moup: "moup"
        case .anlaka: "anlaka"
        case .culture: "culture"
        case .withsuhyeon: "withsuhyeon"
        case nil: "-"
        }
    }
}
