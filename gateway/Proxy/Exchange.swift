import Contracts
import NIOCore

/// One request and its answer.
final class Exchange {
    let meter: RouteMeter
    let app: App?
    let principal: Principal?
    let method: Method
    let startedAt: NIODeadline
    let trace: TraceIDs
    /// The origin of the web page that calls, when it may.
    let origin: ByteBuffer?

    /// The rest of the request.
    var body: RequestBody
    let expectsContinue: Bool
    var upgrade: UpgradeRequest?
    /// New tokens that the phone is handed with the answer.
    var renewed: RenewedTokens?

    /// The connection that the request was sent on.
    var upstream: UpstreamConnection?
    var service: Upstream?
    /// Where it went last.
    var endpoint: Endpoint?
    /// Addresses that failed this request.
    var tried: [Endpoint] = []
    /// How often no connection could be had. Nothing was sent then, so any request may be tried again.
    var failedConnects = 0
    /// Whether the connection had served others before, and may have been closed by the service meanwhile.
    var isOnReusedConnection = false
    var bodyBegan = false

    var status = 0
    var bytesOut = 0
    var answerBegan = false
    /// Whether the answer's body is given chunks here, since the service ends it by closing.
    var chunksAnswer = false
    /// Whether the connection ends with this answer.
    var closes: Bool

    init(
        meter: RouteMeter,
        app: App?,
        principal: Principal? = nil,
        method: Method,
        trace: TraceIDs,
        origin: ByteBuffer? = nil,
        body: RequestBody,
        expectsContinue: Bool = false,
        closes: Bool,
        startedAt: NIODeadline
    ) {
        self.meter = meter
        self.app = app
        self.principal = principal
        self.method = method
        self.trace = trace
        self.origin = origin
        self.body = body
        self.expectsContinue = expectsContinue
        self.closes = closes
        self.startedAt = startedAt
    }

    /// Whether the same request may be sent again after its connection broke without a byte of answer: it has no effect
    /// that could double, nothing of its body is gone, and the likely reason is that the connection had been idle too long.
    var mayBeRepeated: Bool {
        method.isIdempotent && !bodyBegan && !answerBegan && isOnReusedConnection
    }
}

/// The ids of one request: its own, and those of the trace that it is part of (W3C Trace Context).
struct TraceIDs {
    /// The request's id and the span's.
    var request: UInt64
    var trace: (UInt64, UInt64)
    var sampled = true

    /// The request's id as services and phones see it.
    var text: String {
        var digits = ByteBuffer()
        digits.writeHex(request)
        return String(buffer: digits)
    }

    /// A new trace.
    init(ids: inout RandomIDs) {
        request = ids.next()
        trace = (ids.next(), ids.next())
    }

    /// - Parameters:
    ///   - parent: where a `traceparent` value is in `bytes`; one that is not valid is passed over.
    init(parent: Range<Int>?, in bytes: Span<UInt8>, ids: inout RandomIDs) {
        self.init(ids: &ids)
        if let parent, let (trace, sampled) = Self.read(parent, in: bytes) {
            self.trace = trace
            self.sampled = sampled
        }
    }

    /// `00-` 32 digits `-` 16 digits `-` 2 digits, lower case, neither id all zero.
    private static func read(_ value: Range<Int>, in bytes: Span<UInt8>) -> ((UInt64, UInt64), Bool)? {
        let start = value.lowerBound
        guard value.count == 55, bytes.spells("00-", in: start..<(start + 3)),
            bytes.spells("-", in: (start + 35)..<(start + 36)), bytes.spells("-", in: (start + 52)..<(start + 53)),
            let high = number(bytes, at: start + 3, digits: 16), let low = number(bytes, at: start + 19, digits: 16),
            let span = number(bytes, at: start + 36, digits: 16), let flags = number(bytes, at: start + 53, digits: 2),
            high != 0 || low != 0, span != 0
        else { return nil }
        return ((high, low), flags & 1 == 1)
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
