import NIOCore
import ServiceKit

/// The ids of a request and of its trace (W3C Trace Context).
struct TraceIDs {
    /// The request id, which is also the span id.
    var request: UInt64
    var trace: (UInt64, UInt64)
    /// What the caller sent; see `isContinued`.
    private(set) var caller: (trace: (UInt64, UInt64), span: UInt64)?
    /// Whether the request continues its caller's trace: that of a proxy that is trusted. A phone could put its requests into
    /// others' traces and decide which are exported, so that its own context is a link only.
    private(set) var isContinued = false
    /// Whether all programs keep the trace.
    var isSampled = false
}

extension TraceIDs {
    var traceID: TraceID { TraceID(high: trace.0, low: trace.1) }

    /// The request id in hexadecimal, as sent to services and clients.
    var text: String {
        var digits = ByteBuffer()
        digits.writeHex(request)
        return String(buffer: digits)
    }

    /// The span of the request.
    var context: TraceContext {
        TraceContext(traceID: TraceID(high: trace.0, low: trace.1), spanID: SpanID(request), sampled: false)
    }

    /// Creates the ids of a new trace.
    init(ids: inout RandomIDs) {
        request = ids.next()
        trace = (ids.next(), ids.next())
    }

    /// - Parameters:
    ///   - parent: The range of the `traceparent` value in `bytes`; an invalid value is ignored.
    ///   - isTrusted: Whether it was sent by a proxy that is trusted.
    init(parent: Range<Int>?, isTrusted: Bool, in bytes: Span<UInt8>, ids: inout RandomIDs) {
        self.init(ids: &ids)
        guard let parent, let caller = Self.read(parent, in: bytes) else { return }
        self.caller = caller
        guard isTrusted else { return }
        isContinued = true
        trace = caller.trace
    }

    /// Parses `00-`, 32 digits, `-`, 16 digits, `-`, 2 digits, in lower case, with neither id all zero.
    private static func read(
        _ value: Range<Int>,
        in bytes: Span<UInt8>
    ) -> (trace: (UInt64, UInt64), span: UInt64)? {
        let start = value.lowerBound
        guard value.count == 55, bytes.spells("00-", in: start..<(start + 3)),
            bytes.spells("-", in: (start + 35)..<(start + 36)), bytes.spells("-", in: (start + 52)..<(start + 53)),
            let high = number(bytes, at: start + 3, digits: 16), let low = number(bytes, at: start + 19, digits: 16),
            let span = number(bytes, at: start + 36, digits: 16), number(bytes, at: start + 53, digits: 2) != nil,
            high != 0 || low != 0, span != 0
        else { return nil }
        return ((high, low), span)
    }

    private static func number(_ bytes: Span<UInt8>, at start: Int, digits: Int) -> UInt64? {
        var number: UInt64 = 0
        for index in start..<(start + digits) {
            guard let value = bytes[index].hexValue, bytes[index] == bytes[index].lowercased else { return nil }
            number = number << 4 | UInt64(value)
        }
        return number
    }
}
