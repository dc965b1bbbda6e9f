import AppWire
import Hummingbird
import People
import ServiceHost

/// Whom people of Anlaka want to hear nothing more of. The app has no such call; new clients do.
struct BlockRoutes {
    let blocks: Blocks

    /// `GET /v1/chats/blocks` → 200 `{data: […]}`, the latest first.
    func list(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try .json(DataBody(data: await blocks.list(of: context.account).map(UserInfo.init)))
    }

    /// `PUT /v1/chats/blocks/{user_id}` → 200, empty, however often; 400 for oneself, 404 for nobody.
    func block(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await blocks.block(context.parameters.require("userId"), by: context.account)
        return .empty(.ok)
    }

    /// `DELETE /v1/chats/blocks/{user_id}` → 200, empty, also where there was none.
    func unblock(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await blocks.unblock(context.parameters.require("userId"), by: context.account)
        return .empty(.ok)
    }
}
