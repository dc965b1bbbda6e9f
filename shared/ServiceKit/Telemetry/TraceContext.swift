package import Tracing

/// A position in a trace: W3C Trace Context, version 00 (`traceparent`).
package struct TraceContext: Sendable, Equatable {
    package static let header = "traceparent"

    /// The same in every process that handles the request.
    package var traceID: TraceID
    /// The id of this span.
    package var spanID: SpanID
    /// Whether all processes keep the trace, whatever happens in it.
    package var sampled: Bool

    package init(traceID: TraceID, spanID: SpanID, sampled: Bool) {
        (self.traceID, self.spanID, self.sampled) = (traceID, spanID, sampled)
    }

    /// Creates a new trace.
    package init() {
        self.init(traceID: .random(), spanID: .random(), sampled: false)
    }

    /// The span of a caller's header; nil if the header is not a valid `traceparent`.
    package init?(header: some StringProtocol) {
        let fields = header.split(separator: "-", omittingEmptySubsequences: false)
        guard fields.count == 4, fields[0] == "00", let traceID = TraceID(fields[1]), let spanID = SpanID(fields[2]),
            fields[3].utf8.count == 2, let flags = UInt8(fields[3], radix: 16)
        else { return nil }
        self.init(traceID: traceID, spanID: spanID, sampled: flags & 1 == 1)
    }

    /// A child span in the same trace.
    package var child: TraceContext {
        TraceContext(traceID: traceID, spanID: .random(), sampled: sampled)
    }

    /// The header value of the current task for what follows from it later, such as an event or a push; nil without a trace.
    package static var handedOn: String? { ServiceContext.current?.handedOnTrace?.headerValue }

    /// The header value for outgoing calls.
    package var headerValue: String {
        "00-\(traceID)-\(spanID)-\(sampled ? "01" : "00")"
    }
}

/// 32 hexadecimal digits in lower case, not all zero.
package struct TraceID: Sendable, Hashable, CustomStringConvertible {
    let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        (self.high, self.low) = (high, low)
    }

    package init?(_ text: some StringProtocol) {
        guard text.utf8.count == 32, let high = UInt64(hexDigits: text.prefix(16)),
            let low = UInt64(hexDigits: text.suffix(16)), high != 0 || low != 0
        else { return nil }
        self.init(high: high, low: low)
    }

    package static func random() -> TraceID {
        TraceID(high: .random(in: 1 ... .max), low: .random(in: 0 ... .max))
    }

    package var description: String { high.hexDigits + low.hexDigits }
}

/// 16 hexadecimal digits in lower case, not all zero.
package struct SpanID: Sendable, Hashable, CustomStringConvertible {
    let value: UInt64

    package init(_ value: UInt64) {
        self.value = value
    }

    package init?(_ text: some StringProtocol) {
        guard text.utf8.count == 16, let value = UInt64(hexDigits: text), value != 0 else { return nil }
        self.value = value
    }

    package static func random() -> SpanID { SpanID(.random(in: 1 ... .max)) }

    package var description: String { value.hexDigits }
}

extension UInt64 {
    /// 16 digits.
    fileprivate var hexDigits: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// - Parameter hexDigits: In lower case.
    fileprivate init?(hexDigits text: some StringProtocol) {
        var value: UInt64 = 0
        for digit in text.utf8 {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt64(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        self = value
    }
}

extension ServiceContext {
    /// The trace of the current task; calls to other processes propagate it.
    package var trace: TraceContext? {
        get { self[TraceContextKey.self] }
        set { self[TraceContextKey.self] = newValue }
    }
}

extension ServiceContext {
    /// The trace for what follows from the current task: that of a job is sampled now.
    var handedOnTrace: TraceContext? {
        guard var trace else { return nil }
        if fragment?.isSampledNow() == true { trace.sampled = true }
        return trace
    }
}

extension Span {
    /// Links a span of another trace.
    package func addLink(to trace: TraceContext) {
        var context = ServiceContext.topLevel
        context.trace = trace
        addLink(SpanLink(context: context, attributes: [:]))
    }
}

private enum TraceContextKey: ServiceContextKey {
    typealias Value = TraceContext
}
