package import ServiceContextModule

/// A position in a trace: W3C Trace Context, version 00 (`traceparent`).
package struct TraceContext: Sendable, Equatable {
    package static let header = "traceparent"

    /// 32 hexadecimal digits, not all zero; the same in every process that handles the request.
    package var traceID: String
    /// 16 hexadecimal digits, not all zero; the id of this span.
    package var spanID: String
    package var sampled: Bool

    /// Creates a new trace.
    package init() {
        self.traceID = Self.hex(UInt64.random(in: 1 ... .max)) + Self.hex(.random(in: 0 ... .max))
        self.spanID = Self.hex(.random(in: 1 ... .max))
        self.sampled = true
    }

    /// The span of a caller's header; nil if the header is not a valid `traceparent`.
    package init?(header: some StringProtocol) {
        let fields = header.split(separator: "-", omittingEmptySubsequences: false)
        guard fields.count == 4, fields[0] == "00", Self.isID(fields[1], digits: 32), Self.isID(fields[2], digits: 16),
            fields[3].utf8.count == 2, let flags = UInt8(fields[3], radix: 16)
        else { return nil }
        self.traceID = String(fields[1])
        self.spanID = String(fields[2])
        self.sampled = flags & 1 == 1
    }

    /// A child span in the same trace.
    package var child: TraceContext {
        var child = self
        child.spanID = Self.hex(.random(in: 1 ... .max))
        return child
    }

    /// The header value for outgoing calls.
    package var headerValue: String {
        "00-\(traceID)-\(spanID)-\(sampled ? "01" : "00")"
    }

    private static func isID(_ text: some StringProtocol, digits: Int) -> Bool {
        text.utf8.count == digits && text.utf8.contains { $0 != UInt8(ascii: "0") }
            && text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }

    private static func hex(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension ServiceContext {
    /// The trace of the current task; calls to other processes propagate it.
    package var trace: TraceContext? {
        get { self[TraceContextKey.self] }
        set { self[TraceContextKey.self] = newValue }
    }
}

private enum TraceContextKey: ServiceContextKey {
    typealias Value = TraceContext
}
