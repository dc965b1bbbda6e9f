import Apps
import Authentication
import Contracts
import FoundationEssentials
import Hummingbird
import ServiceKit

/// SeatCatcher's token calls (contract 1.6, calls 3 and 4).
struct SeatCatcherTokenRoutes {
    let sessions: Sessions
    let ring: KeyRing

    struct RefreshRequest: Decodable {
        var refreshToken: String?
    }

    /// `POST /token/refresh` → 201 with both tokens; 401 for an invalid token.
    func refresh(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let body = try await request.json(RefreshRequest.self, context)
        guard let token = body.refreshToken else { throw SessionError.refreshInvalid }
        let device = Device(request, context)
        let issued = try await sessions.refresh(token, app: .seatcatcher, device: device)
        return try .json(issued.pair, status: .created).naming(session: issued.session)
    }

    /// `GET /token/validate` → 200 `Valid`; 401 `Expired` for every invalid token; 400 without `Bearer`.
    func validate(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        guard let header = request.headers[.authorization], header.hasPrefix("Bearer") else {
            return .text("Authorization must be: Bearer <access token>", status: .badRequest)
        }
        let token = header.dropFirst("Bearer".count).drop { $0 == " " }
        let now = Int64(Date.now.timeIntervalSince1970)
        guard let claims = try? AccessTokenVerifier().verify(token, keys: ring.publicKeys, now: now),
            claims.app == .seatcatcher, try await sessions.isAlive(claims.session)
        else { return .text("Expired", status: .unauthorized) }
        return .text("Valid")
    }
}
