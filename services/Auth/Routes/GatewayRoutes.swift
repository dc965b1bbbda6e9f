import Apps
import Contracts
import FoundationEssentials
import Hummingbird
import ServiceKit

/// Internal calls of the gateways (`AuthAPI`).
struct GatewayRoutes {
    let sessions: Sessions
    let revocations: RevocationFeed

    /// `POST /internal/sessions/refresh` → 200 with tokens, with which the gateway forwards a request, or a refusal.
    func refresh(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let body = try await request.json(AuthAPI.Refresh.self, context)
        let device = Device(address: body.address, userAgent: body.userAgent)
        do {
            let issued = try await sessions.refresh(
                body.refreshToken,
                app: body.app,
                device: device,
                isForwarded: true
            )
            let expiry = try sessions.mint.read(refreshToken: issued.pair.refreshToken, app: body.app).expiresAt
            return try .json(
                AuthAPI.Refreshed(
                    tokens: AuthAPI.Refreshed.Tokens(
                        accessToken: issued.pair.accessToken,
                        refreshToken: issued.pair.refreshToken,
                        session: issued.session,
                        refreshExpiresAt: Int64(expiry.timeIntervalSince1970)
                    )
                )
            )
        } catch let error as SessionError {
            return try .json(AuthAPI.Refreshed(refusal: AuthAPI.Refreshed.Refusal(error), ended: error.revocation))
        }
    }

    /// `POST /internal/sessions/uses` → 204.
    func noteUses(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        try await sessions.noteUses(request.json(AuthAPI.Uses.self, context).uses)
        return .empty(.noContent)
    }

    /// `GET /internal/revocations?after=&wait=` → 200, as soon as there is a revocation, at the latest after `wait`
    /// seconds.
    func revocations(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let after = Int64(request.uri.queryParameters["after"] ?? "0") ?? 0
        let wait = Int(request.uri.queryParameters["wait"] ?? "0") ?? 0
        return try .json(await revocations.revocations(after: after, wait: .seconds(wait)))
    }
}

extension AuthAPI.Refreshed.Refusal {
    fileprivate init(_ error: SessionError) {
        switch error {
        case .refreshExpired: self = .expired
        case .accountLeaving: self = .leaving
        case .accountGone: self = .gone
        case .refreshInvalid, .sessionEnded, .reused, .sessionUnknown, .nameInvalid: self = .invalid
        }
    }
}
