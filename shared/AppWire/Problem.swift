/// Why a request is refused, in the words of no app in particular. `answer(for:)` puts it into the words of one.
///
/// Thrown by routes and middleware; a domain has errors of its own, which its `Problems.swift` maps to this.
package struct Problem: Error, Sendable, Equatable {
    package var kind: Kind
    /// The app's own code for it (`INVALID_TOKEN`, `WORKER_404`, `POST_006`); nil takes the kind's usual code.
    package var code: String?
    /// The short title that SeatCatcher shows beside the message; nil takes the kind's usual title.
    package var title: String?
    /// For people. Names the field that is wrong; carries no secret.
    package var message: String
    /// Seconds after which trying again makes sense, for `tooMany` and `unavailable`.
    package var retryAfter: Int?

    package init(_ kind: Kind, code: String? = nil, title: String? = nil, message: String, retryAfter: Int? = nil) {
        self.kind = kind
        self.code = code
        self.title = title
        self.message = message
        self.retryAfter = retryAfter
    }

    /// The kinds that apps tell apart by status.
    package enum Kind: String, Sendable, CaseIterable {
        /// Not HTTP, not JSON, or JSON of other types.
        case malformed
        /// Well formed, but a field breaks a rule.
        case invalid
        /// A name with whitespace, where names must have none.
        case blankInName
        /// A path or query value that is missing, or not of its type.
        case badParameter
        /// No token, or one that was never ours.
        case unauthenticated
        /// An access token past its time.
        case accessExpired
        /// A refresh token that is not ours, was taken back, or was stolen.
        case refreshInvalid
        /// A refresh token past its time.
        case refreshExpired
        /// No app key, or an unknown one.
        case appKey
        /// A token of somebody who has left for good.
        case accountGone
        /// A token of somebody who has asked to leave, and may still come back by signing in.
        case accountLeaving
        case forbidden
        /// Somebody else's.
        case notOwner
        case notFound
        /// No such route.
        case unknownRoute
        case methodNotAllowed
        case conflict
        case tooLarge
        case unsupportedMedia
        /// A request that took too long to arrive.
        case timeout
        case tooMany
        /// Something that this needs does not answer; nothing was done, or it is safe to repeat.
        case unavailable
        /// A defect.
        case `internal`
    }
}
