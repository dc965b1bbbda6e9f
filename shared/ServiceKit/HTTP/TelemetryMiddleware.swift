import Authentication
import Contracts
import Hummingbird
import Logging
import Metrics
import Tracing

/// Assigns every request an id and a span, counts and times it, and logs one line when the response is complete.
struct TelemetryMiddleware: RouterMiddleware {
    func handle(
        _ request: Request,
        context: AppRequestContext,
        next: @concurrent (Request, AppRequestContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.requestID = request.headers[.requestID] ?? SpanID.random().description
        let path = request.uri.path
        guard path != "/readyz", path != "/metrics", !path.hasPrefix("/healthz") else {
            return try await next(request, context)
        }
        var scope = ServiceContext.topLevel
        scope.trace = request.headers[.traceparent].flatMap { TraceContext(header: $0) }
        let tracer = InstrumentationSystem.tracer
        // Logs and calls have ids without spans, too.
        if tracer is NoOpTracer { scope.trace = scope.trace?.child ?? TraceContext() }
        return try await tracer.withSpan(request.method.rawValue, context: scope, ofKind: .server) { span in
            try await withLogger(mergingMetadata: ["request_id": "\(context.requestID)"]) { logger in
                context.span = span
                let start = ContinuousClock.now
                var response = try await next(request, context)
                response.headers[.requestID] = context.requestID
                describe(request, response, context, in: span)
                report(request, response, context, took: ContinuousClock.now - start, to: logger)
                return response
            }
        }
    }

    /// OpenTelemetry, "Semantic conventions for HTTP spans".
    private func describe(
        _ request: Request,
        _ response: Response,
        _ context: AppRequestContext,
        in span: any Span
    ) {
        guard span.isRecording else { return }
        let route = context.endpointPath ?? "unknown"
        span.operationName = "\(request.method) \(route)"
        span.updateAttributes { attributes in
            attributes["http.request.method"] = request.method.rawValue
            attributes["http.route"] = route
            attributes["http.response.status_code"] = response.status.code
            attributes["madang.request_id"] = context.requestID
            if let app = context.app { attributes["madang.app"] = app.rawValue }
            if let caller = context.identity?.caller { attributes["madang.caller"] = caller.rawValue }
            if let account = context.identity?.account { attributes["user.id"] = "\(account.rawValue)" }
            if let session = context.identity?.session { attributes["session.id"] = session }
        }
        if response.status.code >= 500 { span.setStatus(SpanStatus(code: .error)) }
    }

    private func report(
        _ request: Request,
        _ response: Response,
        _ context: AppRequestContext,
        took: Duration,
        to logger: Logger
    ) {
        let route = "\(request.method) \(context.endpointPath ?? "unknown")"
        let facts = [("route", route), ("status", String(response.status.code))]
        Counter(label: "http_requests_total", dimensions: facts).increment()
        Timer(label: "http_request_seconds", dimensions: [("route", route)]).recordNanoseconds(took.nanoseconds)
        logger.info(
            "http: request",
            metadata: [
                "method": "\(request.method)", "route": "\(context.endpointPath ?? "unknown")",
                "status": .stringConvertible(response.status.code),
                "duration_ms": .stringConvertible(Double(took.nanoseconds / 1000) / 1000),
                "app": "\(context.app?.rawValue ?? "-")",
            ]
        )
    }
}

extension Duration {
    /// The duration in whole nanoseconds.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
