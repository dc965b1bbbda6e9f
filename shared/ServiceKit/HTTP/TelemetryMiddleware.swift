import Contracts
import Hummingbird
import Logging
import Metrics
import ServiceContextModule

/// Assigns every request an id and a span, counts and times it, and logs one line when the response is complete.
struct TelemetryMiddleware: RouterMiddleware {
    func handle(
        _ request: Request,
        context: AppRequestContext,
        next: @concurrent (Request, AppRequestContext) async throws -> Response
    ) async throws -> Response {
        let trace = request.headers[.traceparent].flatMap { TraceContext(header: $0) }?.child ?? TraceContext()
        var context = context
        context.requestID = request.headers[.requestID] ?? String(trace.traceID.prefix(16))
        var scope = ServiceContext.current ?? .topLevel
        scope.trace = trace

        return try await ServiceContext.withValue(scope) {
            try await withLogger(mergingMetadata: ["request_id": "\(context.requestID)"]) { logger in
                let start = ContinuousClock.now
                var response = try await next(request, context)
                response.headers[.requestID] = context.requestID
                report(request, response, context, took: ContinuousClock.now - start, to: logger)
                return response
            }
        }
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
        guard context.endpointPath?.hasPrefix("/healthz") != true, context.endpointPath != "/readyz" else { return }
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
