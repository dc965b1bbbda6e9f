package import Contracts
package import HTTPTypes

/// An error response in the format of an app: status, content type and body.
package struct ErrorResponse: Sendable, Equatable {
    package var status: HTTPResponse.Status
    /// nil if the body is empty.
    package var contentType: String?
    package var body: String
    /// Seconds, for the `Retry-After` header.
    package var retryAfter: Int?

    /// The value of `WWW-Authenticate`, which a 401 must have (RFC 9110 §15.5.2, RFC 6750 §3); nil with other statuses.
    package var challenge: String? { status == .unauthorized ? "Bearer" : nil }
}

extension Problem {
    /// The error response in the format that an app's client expects.
    ///
    /// - Parameters:
    ///   - app: The app; nil if it is unknown, which selects SeatCatcher's format.
    ///   - requestID: Included in formats that have a field for it.
    package func errorResponse(for app: App?, requestID: String? = nil) -> ErrorResponse {
        let (status, body) =
            switch app {
            case .seatcatcher, nil:
                (SeatCatcherErrorFormat.status(kind), SeatCatcherErrorFormat.body(self, requestID: requestID))
            case .moup: (MOUPErrorFormat.status(kind), MOUPErrorFormat.body(self))
            case .anlaka: (SeSACErrorFormat.status(kind, gone: .notFound), SeSACErrorFormat.body(self))
            case .culture: (SeSACErrorFormat.status(kind, gone: .gone), SeSACErrorFormat.body(self))
            case .withsuhyeon: (WithSuhyeonErrorFormat.status(kind), WithSuhyeonErrorFormat.body(self))
            }
        return ErrorResponse(
            status: status,
            contentType: body.isEmpty ? nil : "application/json; charset=utf-8",
            body: body,
            retryAfter: retryAfter
        )
    }
}

extension HTTPResponse.Status {
    /// The status that HTTP defines for a kind; the apps differ from it in few cases.
    static func usual(_ kind: Problem.Kind) -> HTTPResponse.Status {
        switch kind {
        case .malformed, .invalid, .blankInName, .badParameter: .badRequest
        case .unauthenticated, .accessExpired, .accessMalformed, .accessMistyped, .accessUnsupported,
            .accessUnverified, .refreshInvalid, .refreshExpired,
            .appKey, .accountGone:
            .unauthorized
        case .forbidden, .notOwner: .forbidden
        case .notFound, .unknownRoute: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .conflict, .accountLeaving: .conflict
        case .tooLarge: .contentTooLarge
        case .unsupportedMedia, .contentType: .unsupportedMediaType
        case .timeout: .requestTimeout
        case .tooMany: .tooManyRequests
        case .unavailable: .serviceUnavailable
        case .internal: .internalServerError
        }
    }
}
