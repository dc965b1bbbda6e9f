import Apps
import Contracts
import HTTPTypes
import NIOCore
import ServiceKit

/// An error response of the gateway, in the error format of the app.
struct Refusal: Sendable {
    var app: App?
    var problem: Problem
    /// A status that overrides the app's usual one because HTTP defines a more exact one.
    var status: HTTPResponse.Status?
    /// Additional header lines, with their CRLF.
    var lines = ""
    /// Whether the connection closes after the response.
    var closes = false
    /// The limit that decided, with its value, for operators.
    var limit: String?

    init(_ app: App?, _ problem: Problem) {
        self.app = app
        self.problem = problem
    }

    /// Creates the refusal of a request without a route.
    init(_ app: App?, _ reason: Router.Reason) {
        switch reason {
        case .unknown:
            self.init(app, Problem(.unknownRoute, message: "There is nothing at this address."))
        case .appKey:
            self.init(app, Problem(.appKey, message: "The app's key is missing or unknown."))
        case .method(let methods):
            self.init(app, Problem(.methodNotAllowed, message: "This address does not take that method."))
            lines = "Allow: \(methods.map { "\($0.spelling)" }.joined(separator: ", "))\r\n"
        }
    }

    /// Creates the refusal of a request that is not valid HTTP. Bytes after it cannot be trusted, so the connection
    /// closes.
    init(_ app: App?, fault: HTTPFault) {
        switch fault {
        case .bodyTooLarge:
            self.init(app, Problem(.tooLarge, message: fault.message))
        default:
            self.init(app, Problem(.malformed, message: fault.message))
        }
        closes = true
        switch fault {
        case .headTooLarge, .tooManyFields: status = .requestHeaderFieldsTooLarge
        case .targetTooLong: status = .uriTooLong
        case .version: status = HTTPResponse.Status(code: 505, reasonPhrase: "HTTP Version Not Supported")
        case .expectation: status = .expectationFailed
        default: break
        }
    }

    /// Creates the refusal of a request that failed after its head began to arrive.
    init(_ app: App?, _ failure: RequestFailure) {
        switch failure {
        case .invalid(let fault): self.init(app, fault: fault)
        case .tooSlow: self = .slow(app)
        case .unavailable, .upstreamFailed: self = .unavailable(app)
        case .full(let seconds): self = .unavailable(app, retryAfter: seconds)
        case .upstreamTimedOut: self = .late(app)
        }
    }

    /// The service is unavailable or its connection failed.
    static func unavailable(_ app: App?, retryAfter: Int = 1) -> Refusal {
        Refusal(
            app,
            Problem(
                .unavailable,
                message: "This part of the service is not available; try again.",
                retryAfter: retryAfter
            )
        )
    }

    /// The service did not respond in time.
    static func late(_ app: App?) -> Refusal {
        var refusal = unavailable(app)
        refusal.status = .gatewayTimeout
        return refusal
    }

    /// The request did not arrive completely in time.
    static func slow(_ app: App?) -> Refusal {
        var refusal = Refusal(app, Problem(.timeout, message: "The request took too long to arrive."))
        refusal.closes = true
        return refusal
    }

    /// - Parameter limit: The setting that decided, and its value.
    static func tooMany(_ app: App?, retryAfter: Int, by limit: (setting: String, value: Double)) -> Refusal {
        let problem = Problem(.tooMany, message: "Too many calls; try again later.", retryAfter: retryAfter)
        var refusal = Refusal(app, problem)
        refusal.limit = "\(limit.setting)=\(limit.value)"
        return refusal
    }

    static func unauthenticated(_ app: App?, _ kind: Problem.Kind) -> Refusal {
        let message =
            switch kind {
            case .accessExpired: "The access token has expired."
            case .refreshExpired: "The refresh token has expired; sign in again."
            case .accountLeaving: "This account is being deleted; sign in to keep it."
            case .accountGone: "This account has been deleted."
            case .accessMalformed, .accessMistyped, .accessUnsupported, .accessUnverified:
                "The access token is invalid."
            default: "An access token is needed."
            }
        return Refusal(app, Problem(kind, message: message))
    }

    /// The response, without the headers that every response of the gateway carries.
    ///
    /// - Parameter requestID: Included in error formats that have a field for it.
    func answer(requestID: String) -> LocalResponse {
        let answer = problem.errorResponse(for: app, requestID: requestID)
        let status = status ?? answer.status
        var headers = lines
        if let challenge = answer.challenge { headers += "WWW-Authenticate: \(challenge)\r\n" }
        if let seconds = answer.retryAfter { headers += "Retry-After: \(seconds)\r\n" }
        return LocalResponse(
            status: status.code,
            reason: status.reasonPhrase,
            contentType: answer.contentType,
            headers: headers,
            body: ByteBuffer(string: answer.body)
        )
    }
}

/// A response generated by the gateway itself.
struct LocalResponse: Sendable {
    var status: Int
    var reason: String
    var contentType: String?
    /// Additional header lines, with their CRLF.
    var headers = ""
    var body = ByteBuffer()
    /// The content's, if clients may ask whether it has changed.
    var entityTag: EntityTag?
    /// The compressed content, for clients that take it.
    var compressed: ByteBuffer?
    /// Whether the response depends on the codings that the client takes, and whether it is compressed.
    private(set) var isNegotiated = false
    private(set) var isCompressed = false

    /// Chooses the content for a client. Compressed content has a weak entity tag (RFC 9110 §8.8.1).
    mutating func negotiate(acceptsGzip: Bool) {
        guard let compressed else { return }
        isNegotiated = true
        guard acceptsGzip else { return }
        isCompressed = true
        body = compressed
        entityTag?.isWeak = true
    }

    /// The response to a client that has the content already (RFC 9110 §15.4.5).
    var notModified: LocalResponse {
        var response = LocalResponse(status: 304, reason: "Not Modified", headers: headers)
        response.entityTag = entityTag
        response.isNegotiated = isNegotiated
        return response
    }

    static func text(_ body: String, status: Int = 200, reason: String = "OK") -> LocalResponse {
        LocalResponse(
            status: status,
            reason: reason,
            contentType: "text/plain; charset=utf-8",
            body: ByteBuffer(string: body)
        )
    }
}
