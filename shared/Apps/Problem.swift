/// A reason to refuse a request, independent of any app. `answer(for:)` converts it to the format of an app.
///
/// Routes and middleware throw it; a domain has its own errors, which its `Problems.swift` maps to this type.
package struct Problem: Error, Sendable, Equatable {
    package var kind: Kind
    /// The app's own code for it (`INVALID_TOKEN`, `WORKER_404`, `POST_006`); nil uses the kind's default code.
    package var code: String?
    /// The short title that SeatCatcher shows beside the message; nil uses the kind's default title.
    package var title: String?
    /// A message for people. It names the invalid field and contains no secret.
    package var message: String
    /// Seconds after which a retry makes sense, for `tooMany` and `unavailable`.
    package var retryAfter: Int?

    package init(_ kind: Kind, code: String? = nil, title: String? = nil, message: String, retryAfter: Int? = nil) {
        self.kind = kind
        self.code = code
        self.title = title
        self.message = message
        self.retryAfter = retryAfter
    }

    /// The kinds that apps distinguish by status.
    package enum Kind: String, Sendable, CaseIterable {
        /// Invalid HTTP, invalid JSON, or JSON with values of other types.
        case malformed
        /// Well formed, but a field breaks a rule.
        case invalid
        /// A name with whitespace, where names must have none.
        case blankInName
        /// A path or query value that is missing or has the wrong type.
        case badParameter
        /// A missing token, or one of an ended session.
        case unauthenticated
        case accessExpired
        /// An access token that is no JWT with the required claims.
        case accessMalformed
        /// A token of another type, app or audience in place of an access token.
        case accessMistyped
        /// An access token with an algorithm or a header parameter that is not supported.
        case accessUnsupported
        /// An access token with a wrong signature, or of an unknown key.
        case accessUnverified
        /// A refresh token that is invalid, revoked or stolen.
        case refreshInvalid
        case refreshExpired
        /// A missing or unknown app key.
        case appKey
        /// A token of a withdrawn account.
        case accountGone
        /// A token of an account whose withdrawal was requested and can still be cancelled by signing in.
        case accountLeaving
        case forbidden
        /// The object belongs to another user.
        case notOwner
        case notFound
        /// The route does not exist.
        case unknownRoute
        case methodNotAllowed
        case conflict
        case tooLarge
        case unsupportedMedia
        /// A body whose content type is not that of the operation.
        case contentType
        /// The request took too long to arrive.
        case timeout
        case tooMany
        /// A dependency is unavailable; the request had no effect, or is safe to repeat.
        case unavailable
        /// A defect.
        case `internal`
    }
}
