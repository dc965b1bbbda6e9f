import Contracts
import Files
import Hummingbird
import ServiceHost

extension Routes {
    /// Anlaka (contract 2.3, 2.6, 2.7).
    func anlaka(_ open: RouterGroup<AppRequestContext>) {
        let app = open.signedIn
        let files = FileRoutes(attachments: domain.attachments, app: .anlaka, sharing: .everybody)
        app.post("v1/posts/files", use: files.upload)
        open.get("v1/data/posts/:name", use: files.show)

        let posts = PostRoutes(posts: domain.posts, likes: domain.likes, comments: domain.anlakaComments)
        app.post("v1/posts", use: posts.create)
        app.get("v1/posts/likes/me", use: posts.liked)
        app.get("v1/posts/users/:userId", use: posts.written)
        app.get("v1/posts/:postId", use: posts.show)
        app.put("v1/posts/:postId", use: posts.change)
        app.delete("v1/posts/:postId", use: posts.delete)
        app.post("v1/posts/:postId/like", use: posts.like)
        app.post("v1/posts/:postId/reports", use: ReportRoutes(reports: domain.reports, app: .anlaka).create)

        let found = FindRoutes(posts: domain.posts)
        app.get("v1/posts/geolocation", use: found.nearby)
        app.get("v1/posts/search", use: found.search)

        let comments = CommentRoutes(comments: domain.anlakaComments)
        app.post("v1/posts/:postId/comments", use: comments.create)
        app.put("v1/posts/:postId/comments/:commentId", use: comments.change)
        app.delete("v1/posts/:postId/comments/:commentId", use: comments.delete)
    }
}
