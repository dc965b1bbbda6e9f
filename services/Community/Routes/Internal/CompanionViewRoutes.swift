import Apps
import Contracts
import Hummingbird
import ServiceKit

/// Companion posts for other services.
struct CompanionViewRoutes {
    let companions: Companions

    /// `POST /internal/companion-posts` → 200 with the existing posts (`CommunityAPI.CompanionPosts`); 400 for too many
    /// IDs.
    func list(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let ids = try await request.json(CommunityAPI.CompanionPosts.Request.self, context).posts
        guard ids.count <= CommunityAPI.CompanionPosts.limit else {
            throw Problem(
                .malformed,
                message: "posts must have \(CommunityAPI.CompanionPosts.limit) entries or fewer."
            )
        }
        let posts = try await companions.posts(ids)
        return try .json(CommunityAPI.CompanionPosts(posts: posts.map(CommunityAPI.CompanionPosts.Post.init)))
    }
}

extension CommunityAPI.CompanionPosts.Post {
    fileprivate init(_ post: CompanionPost) {
        self.init(
            id: post.id,
            author: post.author,
            title: post.title,
            region: post.region.key,
            price: post.price
        )
    }
}
