import Apps
import Contracts
import Files
import Hummingbird
import ServiceKit

extension Routes {
    /// Seoul Culture (contract 2 and 5.1).
    func culture(_ app: AppRoutes<Culture>) {
        let files = FileRoutes(attachments: domain.attachments, app: .culture, sharing: .caller)
        app.on(\.uploadPostFiles, use: files.upload)
        app.on(\.getPostFile) { (request, context: SignedInContext) in
            try await files.show(request, context)
        }

        culturePosts(app)

        let follows = FollowRoutes(follows: domain.follows)
        app.on(\.follow, use: follows.follow)
        app.on(\.unfollow, use: follows.unfollow)

        events(app)
    }

    private func culturePosts(_ app: AppRoutes<Culture>) {
        let posts = CulturePostRoutes(posts: domain.culturePosts)
        app.on(\.createPost, use: posts.create)
        app.on(\.listPosts, use: posts.list)
        app.on(\.listTaggedPosts, use: posts.tagged)
        app.on(\.listLikedPosts, use: posts.liked)
        app.on(\.listSecondLikedPosts, use: posts.likedOtherwise)
        app.on(\.listPostsByUser, use: posts.written)
        app.on(\.getPost, use: posts.show)
        app.on(\.updatePost, use: posts.change)
        app.on(\.deletePost, use: posts.delete)
        app.on(\.reportPost, use: ReportRoutes(reports: domain.reports, app: .culture).create)

        let likes = CultureLikeRoutes(likes: domain.likes)
        app.on(\.setLike, use: likes.like)
        app.on(\.setSecondLike, use: likes.likeOtherwise)

        let comments = CommentRoutes(comments: domain.cultureComments)
        app.on(\.createComment, use: CultureCommentRoutes(comments: domain.cultureComments).create)
        app.on(\.updateComment, use: comments.change)
        app.on(\.deleteComment, use: comments.delete)
    }

    /// The city's calendar: in the city's own path format, without sign-in, and in the format of new clients.
    private func events(_ app: AppRoutes<Culture>) {
        let calendar = OpenDataRoutes(events: domain.events)
        app.on(\.listOpenDataFrom, use: calendar.list)
        app.on(\.listOpenDataRange, use: calendar.list)
        app.on(\.listOpenDataOfCategory, use: calendar.list)
        app.on(\.listOpenDataByTitle, use: calendar.list)
        app.on(\.listOpenDataOnDay, use: calendar.list)

        let events = EventRoutes(events: domain.events)
        app.on(\.listEvents, use: events.list)
        app.on(\.listFavoriteEvents, use: events.favourites)
        app.on(\.getEvent, use: events.show)
        app.on(\.addFavoriteEvent, use: events.like)
        app.on(\.removeFavoriteEvent, use: events.unlike)
    }
}
