import AppWire
import Contracts
import HTTPTypes
import NIOCore

/// An answer that the gateway gives itself, in the words of the app in front.
struct Refusal: Sendable {
    var app: App?
    var problem: Problem
    /// Where HTTP knows a status that is more exact than the app's usual one.
    var status: HTTPResponse.Status?
    /// Further header lines, with their CRLF.
    var lines = ""
    /// Whether the connection ends with it.
    var closes = false

    init(_ app: App?, _ problem: Problem) {
        self.app = app
        self.problem = problem
        if problem.kind == .unauthenticated, app?.hasKey != true { lines = "WWW-Authenticate: Bearer\r\n" }
    }

    /// For a request that no route was found for.
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

    /// For a request that is not HTTP as it should be. Nothing after it can be trusted, so the connection ends.
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

    /// The service is not there, or says nothing.
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

    /// The service has not answered in time.
    static func late(_ app: App?) -> Refusal {
        var refusal = unavailable(app)
        refusal.status = .gatewayTimeout
        return refusal
    }

    /// The request did not come whole in time.
    static func slow(_ app: App?) -> Refusal {
        var refusal = Refusal(app, Problem(.timeout, message: "The request took too long to arrive."))
        refusal.closes = true
        return refusal
    }

    static func tooMany(_ app: App?, retryAfter: Int) -> Refusal {
        Refusal(app, Problem(.tooMany, message: "Too many calls; try again later.", retryAfter: retryAfter))
    }

    static func unauthenticated(_ app: App?, _ kind: Problem.Kind) -> Refusal {
        let message =
            switch kind {
            case .accessExpired: "The access token has expired."
            case .refreshExpired: "The refresh token has expired; sign in again."
            case .accountLeaving: "This account is being deleted; sign in to keep it."
            case .accountGone: "This account has been deleted."
            default: "An access token is needed."
            }
        return Refusal(app, Problem(kind, message: message))
    }

    /// Status line, headers and body, but for what every answer of a gateway carries.
    ///
    /// - Parameter requestID: repeated in bodies that have room for it.
    func answer(requestID: String) -> LocalAnswer {
        let answer = problem.answer(for: app, requestID: requestID)
        let status = status ?? answer.status
        var headers = lines
        if let seconds = answer.retryAfter { headers += "Retry-After: \(seconds)\r\n" }
        return LocalAnswer(
            status: status.code,
            reason: status.reasonPhrase,
            contentType: answer.contentType,
            headers: headers,
            body: ByteBuffer(string: answer.body)
        )
    }
}

/// An answer that comes from the gateway and not from a service.
struct LocalAnswer: Sendable {
    var status: Int
    var reason: String
    var contentType: String?
    /// Further header lines, with their CRLF.
    var headers = ""
    var body = ByteBuffer()

    static func text(_ body: String, status: Int = 200, reason: String = "OK") -> LocalAnswer {
        LocalAnswer(
            status: status,
            reason: reason,
            contentType: "text/plain; charset=utf-8",
            body: ByteBuffer(string: body)
        )
    }
}
