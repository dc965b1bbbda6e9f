import Contracts
import HTTPTypes
import Hummingbird
import ServiceKit

/// Seoul Culture's refresh (contract 2, call 3; 6): the client stores only the access token, so the refresh token stays
/// the same. It is accepted in either of two headers.
struct CultureRefreshRoutes {
    let sessions: Sessions

    struct RefreshResponse: Encodable {
        var accessToken: String
    }

    /// `GET /v1/auth/refresh` → 200; 401 for an invalid token, 403 for a withdrawn account, 418 for an expired token.
    func refresh(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let names = ["Refresh", "RefreshToken"].compactMap { HTTPField.Name($0) }
        guard let token = names.compactMap({ request.headers[$0] }).first else { throw SessionError.refreshInvalid }
        let issued = try await sessions.refresh(token, app: .culture, device: Device(request, context))
        return try .json(RefreshResponse(accessToken: issued.pair.accessToken)).naming(session: issued.session)
    }
}
