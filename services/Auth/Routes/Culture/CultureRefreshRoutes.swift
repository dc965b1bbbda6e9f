import Contracts
import HTTPTypes
import Hummingbird
import ServiceHost

/// Seoul Culture's refresh (contract 2, call 3; 6): the client stores the access token alone, so that the refresh token
/// stays what it is, whichever of the two headers brings it.
struct CultureRefreshRoutes {
    let sessions: Sessions

    struct RefreshResponse: Encodable {
        var accessToken: String
    }

    /// `GET /v1/auth/refresh` → 200; 401 for a bad token, 403 for who has left, 418 for a token past its time.
    func refresh(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let names = ["Refresh", "RefreshToken"].compactMap { HTTPField.Name($0) }
        guard let token = names.compactMap({ request.headers[$0] }).first else { throw SessionError.refreshInvalid }
        let issued = try await sessions.refresh(token, app: .culture, device: Device(request, context))
        return try .json(RefreshResponse(accessToken: issued.pair.accessToken)).naming(session: issued.session)
    }
}
