import Apps
import Authentication
import Contracts
import NIOCore
import ServiceKit
import Tracing

/// What is known of a request when it has ended. It becomes a span outside of the event loop.
struct RequestSpan: Sendable {
    var ids: TraceIDs
    var method: StaticString
    var route: String
    var app: App?
    var status: Int
    var bytesIn: Int
    var bytesOut: Int
    /// In nanoseconds since 1970.
    var end = DefaultTracerClock.now.nanosecondsSinceEpoch
    var took: TimeAmount
    /// The copy of a service that answered; nil if the gateway did.
    var upstream: (service: ServiceName, address: String)?
    /// The account and session of the request's token.
    var claims: AccessClaims?
    /// Why the gateway refused it.
    var refusal: Refusal?
}

extension RequestSpan: LateSpan {
    var traceID: TraceID { ids.traceID }
    var isSampled: Bool { ids.isSampled }
    var isError: Bool { status >= 500 }
    var isRefusal: Bool { (400..<500).contains(status) }
    var kindName: String { route }
    var duration: UInt64 { UInt64(max(took.nanoseconds, 0)) }
    var peer: String? { upstream?.service.rawValue }
    var span: FinishedSpan { FinishedSpan(self) }
}

extension FinishedSpan {
    /// The span of a request (OpenTelemetry, "Semantic conventions for HTTP spans"), without its query, body and address.
    init(_ request: RequestSpan) {
        let ids = request.ids
        self.init(
            context: TraceContext(
                traceID: ids.traceID,
                spanID: SpanID(ids.request),
                sampled: ids.isSampled
            ),
            parent: ids.isContinued ? ids.caller.map { SpanID($0.span) } : nil,
            name: "\(request.method) \(request.route)",
            kind: .server,
            start: request.end - request.duration,
            end: request.end,
            attributes: [
                "http.request.method": .string("\(request.method)"), "http.route": .string(request.route),
                "http.response.status_code": .int64(Int64(request.status)),
                "http.request.body.size": .int64(Int64(request.bytesIn)),
                "http.response.body.size": .int64(Int64(request.bytesOut)), "madang.request_id": .string(ids.text),
            ]
        )
        if let app = request.app { attributes["madang.app"] = SpanAttribute.string(app.rawValue) }
        if let upstream = request.upstream {
            attributes["peer.service"] = SpanAttribute.string(upstream.service.rawValue)
            attributes["server.address"] = SpanAttribute.string(upstream.address)
        }
        if let claims = request.claims {
            attributes["user.id"] = SpanAttribute.string("\(claims.account.rawValue)")
            attributes["session.id"] = SpanAttribute.string(claims.session)
        }
        if let refusal = request.refusal {
            attributes["error.type"] = SpanAttribute.string(refusal.problem.kind.rawValue)
            attributes["madang.problem.message"] = SpanAttribute.string(refusal.limit ?? refusal.problem.message)
        }
        if request.isError { status = SpanStatus(code: .error) }
        if !ids.isContinued, let caller = ids.caller {
            let context = TraceContext(
                traceID: TraceID(high: caller.trace.0, low: caller.trace.1),
                spanID: SpanID(caller.span),
                sampled: false
            )
            links = [Link(context: context, attributes: [:])]
        }
    }
}
