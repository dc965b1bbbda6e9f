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

    /// The span of a request (OpenTelemetry, "Semantic conventions for HTTP spans"), without its query, body and address.
    var head: FinishedSpan {
        var span = FinishedSpan(
            context: TraceContext(traceID: traceID, spanID: SpanID(ids.request), sampled: isSampled),
            parent: ids.isContinued ? ids.caller.map { SpanID($0.span) } : nil,
            name: "\(method) \(route)",
            kind: .server,
            start: end - duration,
            end: end,
            attributes: [:]
        )
        if isError { span.status = SpanStatus(code: .error) }
        if !ids.isContinued, let caller = ids.caller {
            let context = TraceContext(
                traceID: TraceID(high: caller.trace.0, low: caller.trace.1),
                spanID: SpanID(caller.span),
                sampled: false
            )
            span.links = [FinishedSpan.Link(context: context, attributes: [:])]
        }
        return span
    }

    func forEachAttribute(_ body: (String, SpanAttribute) -> Void) {
        body("http.request.method", .string("\(method)"))
        body("http.route", .string(route))
        body("http.response.status_code", .int64(Int64(status)))
        body("http.request.body.size", .int64(Int64(bytesIn)))
        body("http.response.body.size", .int64(Int64(bytesOut)))
        body("madang.request_id", .string(ids.text))
        if let app { body("madang.app", .string(app.rawValue)) }
        if let upstream {
            body("peer.service", .string(upstream.service.rawValue))
            body("server.address", .string(upstream.address))
        }
        if let claims {
            body("user.id", .string("\(claims.account.rawValue)"))
            body("session.id", .string(claims.session))
        }
        if let refusal {
            body("error.type", .string(refusal.problem.kind.rawValue))
            body("madang.problem.message", .string(refusal.limit ?? refusal.problem.message))
        }
    }
}
