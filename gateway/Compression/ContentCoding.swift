import Apps
import Contracts

/// What the gateway does about the content coding of a service's response (RFC 9110 §8.4).
enum ContentCoding {
    /// It leaves the response as it is.
    case none
    /// It would have compressed the response for another client.
    case negotiated
    case gzip

    /// The sizes of contents that are compressed, in bytes. Smaller ones fit into a packet anyway; larger ones would hold
    /// the event loop up for milliseconds.
    private static let sizes = 1025...(256 * 1024)

    private static let types: [StaticString] = [
        "application/json", "application/problem+json", "application/openapi+json", "text/html", "text/css",
        "application/javascript", "text/javascript",
    ]

    /// - Parameters:
    ///   - bytes: The bytes of the head.
    ///   - length: The length that the head states, in a response to HEAD that of the content for a GET.
    init(_ head: ResponseHead, _ bytes: Span<UInt8>, _ length: BodyLength, _ exchange: HTTPExchange) {
        self = .none
        if head.status == 304 {
            if exchange.mayCompress, head.fields.present.contains(.entityTag) { self = .negotiated }
            return
        }
        guard case .bytes(let size) = length, Self.sizes.contains(size), exchange.mayCompress, head.status != 206,
            !head.fields.present.intersects([.contentEncoding, .setCookie]), Self.isCompressible(head.fields, bytes)
        else { return }
        self = exchange.acceptsGzip ? .gzip : .negotiated
    }

    private static func isCompressible(_ fields: HeaderFields, _ bytes: Span<UInt8>) -> Bool {
        guard let value = fields.value(.contentType) else { return false }
        let type = bytes.trimmed(
            value.lowerBound..<(value.first { bytes[$0] == UInt8(ascii: ";") } ?? value.upperBound)
        )
        guard types.contains(where: { bytes.matches($0, in: type) }) else { return false }
        var isAllowed = true
        // RFC 9111 §5.2.2.6.
        for field in fields.lines where field.name == .cacheControl {
            bytes.forEachElement(of: field.value) { if bytes.matches("no-transform", in: $0) { isAllowed = false } }
        }
        return isAllowed
    }
}

extension HTTPExchange {
    /// Whether the content of the response is no secret that its length could betray.
    ///
    /// Where an attacker can both make a client send requests whose text the response repeats, and see how long the encrypted
    /// responses are, compression lets it guess a secret beside that text character by character: a right guess makes the
    /// response shorter (the attack called BREACH). So no response with tokens is compressed: those of the auth service,
    /// which signs in and refreshes, those to which the gateway adds renewed tokens, and those that set a cookie.
    fileprivate var mayCompress: Bool { isCompressionOn && renewed == nil && meter.route?.operation.service != .auth }
}
