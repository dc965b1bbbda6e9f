import Apps
import Contracts
import Files
import Hummingbird
import ServiceKit

extension Routes {
    /// Anlaka (contract 2.3, 2.6, 2.7).
    func anlaka(_ app: AppRoutes<Anlaka>) {
        let files = FileRoutes(attachments: domain.attachments, app: .anlaka, sharing: .shared)
        app.on(\.uploadPostFiles, use: files.upload)
        app.on(\.getPostFile) { (request, context: AppRequestContext) in
            try await files.show(request, context)
        }

        let posts = PostRoutes(posts: domain.posts, likes: domain.likes, comments: domain.anlakaComments)
        app.on(\.createPost, use: posts.create)
        app.on(\.listLikedPosts, use: posts.liked)
        app.on(\.listPostsByUser, use: posts.written)
        app.on(\.getPost, use: posts.show)
        app.on(\.updatePost, use: posts.change)
        app.on(\.deletePost, use: posts.delete)
        app.on(\.setLike, use: posts.like)
        app.on(\.reportPost, use: ReportRoutes(reports: domain.reports, app: .anlaka).create)

        let found = FindRoutes(posts: domain.posts)
        app.on(\.listPostsNearby, use: found.nearby)
        app.on(\.searchPosts, use: found.search)

        let comments = CommentRoutes(comments: domain.anlakaComments)
        app.on(\.createComment, use: comments.create)
        app.on(\.updateComment, use: comments.change)
        app.on(\.deleteComment, use: comments.delete)
    }
}
