package import Tracing

/// A span that has ended.
package struct FinishedSpan: Sendable {
    package var context: TraceContext
    /// The span that it belongs to, maybe of another process; nil for the first of a trace.
    package var parent: SpanID?
    package var name: String
    package var kind: SpanKind
    /// In nanoseconds since 1970.
    package var start: UInt64
    package var end: UInt64
    package var attributes: SpanAttributes
    package var events: [SpanEvent] = []
    package var links: [Link] = []
    package var status: SpanStatus?

    /// A span of another trace, or one that does not enclose this one.
    package struct Link: Sendable {
        package var context: TraceContext
        package var attributes: SpanAttributes

        package init(context: TraceContext, attributes: SpanAttributes) {
            (self.context, self.attributes) = (context, attributes)
        }
    }

    package init(
        context: TraceContext,
        parent: SpanID?,
        name: String,
        kind: SpanKind,
        start: UInt64,
        end: UInt64,
        attributes: SpanAttributes
    ) {
        (self.context, self.parent, self.name, self.kind) = (context, parent, name, kind)
        (self.start, self.end, self.attributes) = (start, end, attributes)
    }

    package var isError: Bool { status?.code == .error }

    /// Whether it is that of a request that was answered with a status from 400 to 499.
    var isRefusal: Bool {
        guard kind == .server, case .int64(let status)? = attributes.get("http.response.status_code") else {
            return false
        }
        return (400..<500).contains(status)
    }
}

extension SpanKind {
    /// The number in OTLP, `opentelemetry.proto.trace.v1.Span.SpanKind`.
    var number: Int {
        switch self {
        case .server: 2
        case .client: 3
        case .producer: 4
        case .consumer: 5
        default: 1
        }
    }
}
