import Apps
import Contracts
import Hummingbird
import ServiceKit

/// Social data of an account for auth, and offers of posts for payments.
struct SocialGraphRoutes {
    let follows: Follows
    let purchases: Purchases

    /// `GET /internal/people/{account}/circle` → 200 with a `CommunityAPI.Circle`.
    func circle(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        guard let account: AccountID = context.id("account") else {
            throw Problem(.badParameter, message: "account must be the number of one.")
        }
        return try .json(await follows.circle(of: account))
    }

    /// `GET /internal/posts/{post}` → 200 with a `CommunityAPI.Offer`; 404 for an unknown post.
    func offer(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let post = try PublicID(parsing: context.parameters.require("post"), else: CommunityError.postNotFound)
        return try .json(await purchases.offer(post))
    }
}
