import Apps
import Hummingbird
import Profiles
import ServiceKit

/// User blocks of Anlaka. Not in the app's contract; for new clients.
struct BlockRoutes {
    let blocks: Blocks

    /// `GET /v1/chats/blocks` → 200 `{data: […]}`, newest first.
    func list(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try .json(DataBody(data: await blocks.list(of: context.account).map(UserInfo.init)))
    }

    /// `PUT /v1/chats/blocks/{user_id}` → 200, empty; idempotent. 400 for the caller's own ID, 404 for an unknown user.
    func block(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await blocks.block(context.parameters.require("userId"), by: context.account)
        return .empty(.ok)
    }

    /// `DELETE /v1/chats/blocks/{user_id}` → 200, empty; idempotent.
    func unblock(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await blocks.unblock(context.parameters.require("userId"), by: context.account)
        return .empty(.ok)
    }
}
