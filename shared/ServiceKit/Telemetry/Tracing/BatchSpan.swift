package import Tracing

/// Handles several things together in a span of the trace that they belong to. If these are several, it is the first of them
/// that is kept whatever happens, or else one of the context's, with links to the others (OpenTelemetry, "Semantic
/// conventions for messaging spans").
///
/// - Parameters:
///   - traces: The span that each follows from; nil for one without a trace.
///   - context: What encloses the span.
package func withBatchSpan<Value>(
    _ name: String,
    of traces: [TraceContext?],
    in context: ServiceContext,
    _ body: (any Span) async throws -> Value
) async throws -> Value {
    var context = context
    let outer = context.trace
    let known = traces.compactMap(\.self)
    let isOne = known.count == traces.count && Set(known.map(\.traceID)).count == 1
    let own = isOne ? known.first : known.first(where: \.sampled)
    if let own, own.traceID != outer?.traceID { context.trace = own }
    return try await InstrumentationSystem.tracer.withSpan(name, context: context, ofKind: .consumer) { span in
        let others = (own == nil ? [] : [outer].compactMap(\.self)) + (isOne ? [] : known)
        for trace in others where trace.traceID != span.context.trace?.traceID { span.addLink(to: trace) }
        return try await body(span)
    }
}
