/// The header names that this gateway acts on; everything else is `other` and passes through untouched.
enum HeaderName: UInt8, CaseIterable, Sendable {
    case other
    // Framing and routing of the message itself.
    case host, contentLength, transferEncoding, expect, upgrade
    // Of one connection only (RFC 9110 §7.6.1).
    case connection, keepAlive, proxyConnection, te, trailer, proxyAuthenticate, proxyAuthorization, http2Settings
    // Who calls, from where, in which trace. What a client says of itself here is not believed.
    case authorization, appKey, internalHeader, forwarded, requestID, traceparent
    // Refresh tokens: two names for any app, and Seoul Culture's own for its refresh call.
    case refreshToken, newRefreshToken, refresh, cookie
    case userAgent
    // Browsers.
    case origin, accessControlRequestMethod, accessControlRequestHeaders
    // WebSocket (RFC 6455 §4).
    case webSocketKey, webSocketVersion, webSocketAccept
    // Of answers.
    case accessToken, cacheControl
    case server, contentTypeOptions, frameOptions, referrerPolicy, allowOrigin, vary

    /// The name in lower case; empty where a whole family shares a case.
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
        case .server: "server"
        case .contentTypeOptions: "x-content-type-options"
        case .frameOptions: "x-frame-options"
        case .referrerPolicy: "referrer-policy"
        case .allowOrigin: "access-control-allow-origin"
        case .vary: "vary"
        }
    }

    /// Names and beginnings of names that only a proxy in front of a service may write.
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

    /// Adds a name; says whether it is new.
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

    /// Of one connection, or written anew for the next: never copied, in either direction.
    static let perConnection: HeaderNames = [
        .connection, .keepAlive, .proxyConnection, .te, .trailer, .proxyAuthenticate, .proxyAuthorization,
        .http2Settings, .upgrade, .transferEncoding, .contentLength, .internalHeader, .requestID,
    ]
    /// Not copied from a request: written anew, met by the gateway, or not to be believed.
    static let droppedFromRequests: HeaderNames = [
        .connection, .keepAlive, .proxyConnection, .te, .trailer, .proxyAuthenticate, .proxyAuthorization,
        .http2Settings, .upgrade, .transferEncoding, .contentLength, .internalHeader, .requestID,
        .host, .expect, .forwarded, .traceparent, .appKey,
    ]
    /// Not copied from an answer.
    static let droppedFromAnswers: HeaderNames = [
        .connection, .keepAlive, .proxyConnection, .te, .trailer, .proxyAuthenticate, .proxyAuthorization,
        .http2Settings, .upgrade, .transferEncoding, .contentLength, .internalHeader, .requestID,
        .server, .allowOrigin, .accessToken, .newRefreshToken,
    ]
    /// Where a phone or a web page may put its refresh token.
    static let refreshTokens: HeaderNames = [.refreshToken, .newRefreshToken, .cookie]
    /// Not copied from a request, unless it is the app's own refresh. Cookies are copied without the token.
    static let carryingRefreshTokens: HeaderNames = [.refreshToken, .newRefreshToken, .refresh, .cookie]
    /// Fields that two readers could choose from differently, were there two of them.
    static let singletons: HeaderNames = [
        .host, .contentLength, .transferEncoding, .expect, .upgrade, .authorization, .appKey, .origin, .refreshToken,
        .newRefreshToken, .refresh, .webSocketKey,
        .webSocketVersion, .webSocketAccept,
    ]
}
