import Apps
import Authentication
import Contracts
import NIOCore

/// Silent refresh: a request with a refresh token whose access token is missing, expired or about to expire waits for
/// new tokens and continues with them.
extension RequestPolicy {
    /// A refresh that a request has to wait for.
    struct Renewal {
        var request: RefreshCoordinator.RefreshRequest
        var isInCookie: Bool
    }

    /// How long before its expiry an access token is renewed, in seconds.
    private static let margin: Int64 = 30

    /// Decides about a request that may carry a refresh token.
    ///
    /// - Parameter verdict: The result for the request's access token, if it has one.
    func renew(
        _ head: RequestHead,
        _ forwarding: Forwarding,
        _ request: RequestInfo,
        _ verdict: Authenticator.AuthenticationResult
    ) -> Decision {
        let app = forwarding.route.app
        // A browser adds cookies to the requests of every page.
        guard isDue(verdict, head, request), let presented = PresentedRefreshToken(head.fields, of: request.bytes),
            !presented.isInCookie || !core.crossOrigin.isForeign(head, of: request.bytes)
        else {
            return decide(forwarding, request, verdict)
        }
        if let outcome = request.known.refresh { return decide(outcome, forwarding, request, verdict) }
        switch authenticator.refreshVerdict(on: presented.token, for: app, seconds: request.seconds) {
        case .plausible(let claims) where isAnother(claims, than: verdict):
            return decide(.refused(.invalid), forwarding, request, verdict)
        case .plausible(let claims):
            let refresh = RefreshCoordinator.RefreshRequest(
                app: app,
                session: claims.session,
                token: String(buffer: presented.token),
                address: request.address,
                userAgent: head.fields.value(.userAgent).flatMap { value in
                    request.bytes.getString(at: request.bytes.readerIndex + value.lowerBound, length: value.count)
                }
            )
            return .wait(.refresh(Renewal(request: refresh, isInCookie: presented.isInCookie)))
        case .refused(let refusal):
            return decide(.refused(refusal), forwarding, request, verdict)
        case .unknownKey:
            switch request.known.keys {
            case nil: return .wait(.keys)
            case .fresh: return decide(.refused(.invalid), forwarding, request, verdict)
            case .unavailable: return decide(.unavailable, forwarding, request, verdict)
            }
        }
    }

    /// Whether the access token needs a renewal. An invalid token is never renewed, even with a valid refresh token.
    private func isDue(_ verdict: Authenticator.AuthenticationResult, _ head: RequestHead, _ request: RequestInfo)
        -> Bool
    {
        switch verdict {
        case .accepted(let principal): principal.claims.expiresAt - request.seconds < Self.margin
        case .expired: true
        case .refused: AuthorizationField.isEmpty(head.fields, of: request.bytes)
        case .unknownKey: false
        }
    }

    /// Whether the two tokens of a request belong to different sessions, so that one must not renew the other.
    private func isAnother(_ claims: RefreshClaims, than verdict: Authenticator.AuthenticationResult) -> Bool {
        switch verdict {
        case .accepted(let principal): principal.claims.session != claims.session
        case .expired(let expired): expired.session != claims.session
        case .refused, .unknownKey: false
        }
    }

    /// Decides the request with the outcome of the refresh. A failed refresh does not matter while the access token is
    /// still valid.
    private func decide(
        _ outcome: RefreshCoordinator.Outcome,
        _ forwarding: Forwarding,
        _ request: RequestInfo,
        _ verdict: Authenticator.AuthenticationResult
    ) -> Decision {
        let app = forwarding.route.app
        if case .tokens(let tokens) = outcome {
            let renewed = authenticator.verdict(
                onRenewed: ByteBuffer(string: tokens.accessToken),
                for: app,
                seconds: request.seconds,
                now: request.now
            )
            return decide(forwarding, request, renewed)
        }
        if case .accepted = verdict { return decide(forwarding, request, verdict) }
        switch outcome {
        case .refused(let refusal): return refuse(forwarding, Problem.Kind(refusal, app: app))
        case .unavailable, .tokens: return .refuse(.unavailable(app), forwarding.meter)
        }
    }
}

extension Problem.Kind {
    /// The response when the access token cannot be renewed; in most cases the user has to sign in again.
    fileprivate init(_ refusal: AuthAPI.Refreshed.Refusal, app: App) {
        switch refusal {
        case .invalid: self = .unauthenticated
        // MOUP's client knows 401 only (MOUP contract 1.1).
        case .expired: self = app == .moup ? .unauthenticated : .refreshExpired
        case .leaving: self = .accountLeaving
        case .gone: self = .accountGone
        }
    }
}
