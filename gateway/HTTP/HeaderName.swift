/// The header names that the gateway acts on. All others are `other` and pass through unchanged.
enum HeaderName: UInt8, CaseIterable, Sendable {
    case other
    // Framing and routing of the message.
    case host, contentLength, transferEncoding, expect, upgrade
    // Fields of one connection only (RFC 9110 §7.6.1).
    case connection, keepAlive, proxyConnection, te, trailer, proxyAuthenticate, proxyAuthorization, http2Settings
    // Identity, address and trace of the caller. The gateway does not trust a client's values for them.
    case authorization, appKey, internalHeader, forwarded, requestID, traceparent
    // Refresh tokens: two names for any app, and Seoul Culture's own for its refresh call.
    case refreshToken, newRefreshToken, refresh, cookie
    case userAgent
    // Which page of a browser calls: the Fetch standard's CORS, and Fetch Metadata.
    case origin, fetchSite, accessControlRequestMethod, accessControlRequestHeaders
    // WebSocket (RFC 6455 §4).
    case webSocketKey, webSocketVersion, webSocketAccept
    // Response fields.
    case accessToken, cacheControl, setCookie
    // Validators (RFC 9110 §8.8, §13.1), type and coding of the content (§8.3, §8.4, §12.5.3).
    case entityTag, ifNoneMatch, contentType, contentEncoding, acceptEncoding
    case server, contentTypeOptions, frameOptions, referrerPolicy, allowOrigin, vary

    /// The name in lower case; empty for a case that stands for several names.
    var spelling: StaticString {
        switch self {
        case .other, .internalHeader, .forwarded: ""
        case .host: "host"
        case .contentLength: "content-length"
        case .transferEncoding: "transfer-encoding"
        case .expect: "expect"
        case .upgrade: "upgrade"
        case .connection: "connection"
        case .keepAlive: "keep-alive"
        case .proxyConnection: "proxy-connection"
        case .te: "te"
        case .trailer: "trailer"
        case .proxyAuthenticate: "proxy-authenticate"
        case .proxyAuthorization: "proxy-authorization"
        case .http2Settings: "http2-settings"
        case .authorization: "authorization"
        case .appKey: "sesackey"
        case .requestID: "x-request-id"
        case .traceparent: "traceparent"
        case .origin: "origin"
        case .fetchSite: "sec-fetch-site"
        case .accessControlRequestMethod: "access-control-request-method"
        case .accessControlRequestHeaders: "access-control-request-headers"
        case .webSocketKey: "sec-websocket-key"
        case .webSocketVersion: "sec-websocket-version"
        case .webSocketAccept: "sec-websocket-accept"
        case .refreshToken: "refreshtoken"
        case .newRefreshToken: "x-refresh-token"
        case .refresh: "refresh"
        case .cookie: "cookie"
        case .userAgent: "user-agent"
        case .accessToken: "x-access-token"
        case .cacheControl: "cache-control"
        case .setCookie: "set-cookie"
        case .entityTag: "etag"
        case .ifNoneMatch: "if-none-match"
        case .contentType: "content-type"
        case .contentEncoding: "content-encoding"
        case .acceptEncoding: "accept-encoding"
        case .server: "server"
        case .contentTypeOptions: "x-content-type-options"
        case .frameOptions: "x-frame-options"
        case .referrerPolicy: "referrer-policy"
        case .allowOrigin: "access-control-allow-origin"
        case .vary: "vary"
        }
    }

    /// Names and name prefixes that only a proxy in front of a service may write.
    static let internalPrefix: StaticString = "x-madang-"
    static let forwardedPrefix: StaticString = "x-forwarded-"
    static let forwardedNames: [StaticString] = [
        "forwarded", "x-real-ip", "x-client-ip", "true-client-ip", "cf-connecting-ip", "x-original-url",
        "x-rewrite-url", "x-http-method-override",
    ]
}

/// A set of header names, in one word.
struct HeaderNames: Sendable, ExpressibleByArrayLiteral {
    private var bits: UInt64

    init(arrayLiteral names: HeaderName...) {
        bits = names.reduce(0) { $0 | 1 << UInt64($1.rawValue) }
    }

    @inline(__always)
    func contains(_ name: HeaderName) -> Bool {
        (bits >> UInt64(name.rawValue)) & 1 == 1
    }

    /// Adds a name and returns whether it is new.
    @inline(__always)
    mutating func insert(_ name: HeaderName) -> Bool {
        let isNew = !contains(name)
        bits |= 1 << UInt64(name.rawValue)
        return isNew
    }

    mutating func formUnion(_ others: HeaderNames) {
        bits |= others.bits
    }

    func intersects(_ other: HeaderNames) -> Bool {
        bits & other.bits != 0
    }

    /// Fields of one connection, or rewritten by the gateway: never copied, in either direction.
    static let perConnection: HeaderNames = [
        .connection, .keepAlive, .proxyConnection, .te, .trailer, .proxyAuthenticate, .proxyAuthorization,
        .http2Settings, .upgrade, .transferEncoding, .contentLength, .internalHeader, .requestID,
    ]
    /// Fields not copied from a request: they are rewritten or handled by the gateway, or not trusted.
    static let droppedFromRequests: HeaderNames = [
        .connection, .keepAlive, .proxyConnection, .te, .trailer, .proxyAuthenticate, .proxyAuthorization,
        .http2Settings, .upgrade, .transferEncoding, .contentLength, .internalHeader, .requestID,
        .host, .expect, .forwarded, .traceparent, .appKey,
    ]
    /// Fields not copied from a response.
    static let droppedFromAnswers: HeaderNames = [
        .connection, .keepAlive, .proxyConnection, .te, .trailer, .proxyAuthenticate, .proxyAuthorization,
        .http2Settings, .upgrade, .transferEncoding, .contentLength, .internalHeader, .requestID,
        .server, .allowOrigin, .accessToken, .newRefreshToken,
    ]
    /// The fields in which a client may send its refresh token.
    static let refreshTokens: HeaderNames = [.refreshToken, .newRefreshToken, .cookie]
    /// Fields not copied from a request, unless it is the app's own refresh call. Cookies are copied without the token.
    static let carryingRefreshTokens: HeaderNames = [.refreshToken, .newRefreshToken, .refresh, .cookie]
    /// Fields that may occur once only, because two readers could choose different values.
    static let singletons: HeaderNames = [
        .host, .contentLength, .transferEncoding, .expect, .upgrade, .authorization, .appKey, .origin, .fetchSite,
        .refreshToken,
        .newRefreshToken, .refresh, .webSocketKey,
        .webSocketVersion, .webSocketAccept,
    ]
}
