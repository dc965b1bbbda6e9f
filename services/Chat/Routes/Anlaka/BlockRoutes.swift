import Apps
import Contracts
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
        let user = try PublicID(parsing: context.parameters.require("userId"), else: ChatError.personNotFound)
        try await blocks.block(user, by: context.account)
        return .empty(.ok)
    }

    /// `DELETE /v1/chats/blocks/{user_id}` → 200, empty; idempotent.
    func unblock(_ request: Request, _ context: SignedInContext) async throws -> Response {
        if let user = try PublicID(rawValue: context.parameters.require("userId")) {
            try await blocks.unblock(user, by: context.account)
        }
        return .empty(.ok)
    }
}
