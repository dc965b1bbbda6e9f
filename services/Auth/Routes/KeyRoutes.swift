import Hummingbird
import ServiceKit

/// `GET /internal/keys`: the public keys of access tokens, as a JWKS (RFC 7517).
struct KeyRoutes {
    let ring: KeyRing

    func keys(_ request: Request, _ context: AppRequestContext) throws -> Response {
        try .json(ring.published)
    }
}
