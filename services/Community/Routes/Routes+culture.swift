import Contracts
import Files
import Hummingbird
import ServiceHost

extension Routes {
    /// Seoul Culture (contract 2 and 5.1).
    func culture(_ open: RouterGroup<AppRequestContext>) {
        let app = open.signedIn
        let files = FileRoutes(attachments: domain.attachments, app: .culture, sharing: .caller)
        app.post("v1/posts/files", use: files.upload)
        app.get("v1/uploads/posts/:name", use: files.show)

        culturePosts(app)

        let follows = FollowRoutes(follows: domain.follows)
        app.post("v1/follow/:userId", use: follows.follow)
        app.delete("v1/follow/:userId", use: follows.unfollow)

        events(app, open)
    }

    private func culturePosts(_ app: RouterGroup<SignedInContext>) {
        let posts = CulturePostRoutes(posts: domain.culturePosts)
        app.post("v1/posts", use: posts.create)
        app.get("v1/posts", use: posts.list)
        app.get("v1/posts/hashtags", use: posts.tagged)
        app.get("v1/posts/likes/me", use: posts.liked)
        app.get("v1/posts/likes-2/me", use: posts.likedOtherwise)
        app.get("v1/posts/users/:userId", use: posts.written)
        app.get("v1/posts/:postId", use: posts.show)
        app.put("v1/posts/:postId", use: posts.change)
        app.delete("v1/posts/:postId", use: posts.delete)
        app.post("v1/posts/:postId/reports", use: ReportRoutes(reports: domain.reports, app: .culture).create)

        let likes = CultureLikeRoutes(likes: domain.likes)
        app.post("v1/posts/:postId/like", use: likes.like)
        app.post("v1/posts/:postId/like-2", use: likes.likeOtherwise)

        let comments = CommentRoutes(comments: domain.cultureComments)
        app.post("v1/posts/:postId/comments", use: CultureCommentRoutes(comments: domain.cultureComments).create)
        app.put("v1/posts/:postId/comments/:commentId", use: comments.change)
        app.delete("v1/posts/:postId/comments/:commentId", use: comments.delete)
    }

    /// The city's calendar: in the city's own path shape, which needs nobody signed in, and in ours.
    private func events(_ app: RouterGroup<SignedInContext>, _ open: RouterGroup<AppRequestContext>) {
        let calendar = OpenDataRoutes(events: domain.events)
        open.get(":key/json/culturalEventInfo/:start", use: calendar.list)
        open.get(":key/json/culturalEventInfo/:start/:end", use: calendar.list)
        open.get(":key/json/culturalEventInfo/:start/:end/:codename", use: calendar.list)
        open.get(":key/json/culturalEventInfo/:start/:end/:codename/:title", use: calendar.list)
        open.get(":key/json/culturalEventInfo/:start/:end/:codename/:title/:date", use: calendar.list)

        let events = EventRoutes(events: domain.events)
        app.get("v1/events", use: events.list)
        app.get("v1/events/favorites", use: events.favourites)
        app.get("v1/events/:eventId", use: events.show)
        app.put("v1/events/:eventId/favorite", use: events.like)
        app.delete("v1/events/:eventId/favorite", use: events.unlike)
    }
}
