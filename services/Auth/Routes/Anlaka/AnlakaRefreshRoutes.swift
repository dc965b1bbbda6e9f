import Contracts
import HTTPTypes
import Hummingbird
import ServiceKit

/// Anlaka's refresh (contract 2.1, call 6): the refresh token is in its own header; the access token that is sent along
/// has usually expired, and is ignored.
struct AnlakaRefreshRoutes {
    let sessions: Sessions

    /// `GET /v1/auth/refresh` → 200 with both tokens; 401 for an invalid token, 418 for an expired one.
    func refresh(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        guard let name = HTTPField.Name("RefreshToken"), let token = request.headers[name] else {
            throw SessionError.refreshInvalid
        }
        let issued = try await sessions.refresh(token, app: .anlaka, device: Device(request, context))
        return try .json(issued.pair).naming(session: issued.session)
    }
}
