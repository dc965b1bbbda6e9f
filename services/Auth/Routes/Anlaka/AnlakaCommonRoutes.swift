import Hummingbird
import ServiceKit

/// Anlaka's availability check (Anlaka contract 2.8).
struct AnlakaCommonRoutes {
    struct MessageResponse: Encodable {
        var message: String
    }

    /// `GET /v1/common` → 200.
    func show(_ request: Request, _ context: AppRequestContext) throws -> Response {
        try .json(MessageResponse(message: "마당 서버가 정상적으로 동작하고 있습니다."))
    }
}
