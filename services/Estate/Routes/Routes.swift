import Contracts
import Hummingbird
import Outbox
import ServiceHost

/// The URL map of the estate service.
struct Routes {
    let domain: EstateDomain
    let inbox: Inbox

    init(_ domain: EstateDomain, inbox: Inbox) {
        self.domain = domain
        self.inbox = inbox
    }

    func add(to router: RouterGroup<AppRequestContext>) {
        let app = router.app(.anlaka).signedIn
        listings(app)
        map(app)
        home(app, router.app(.anlaka))
        comments(app)
        places(app)
        pictures(app, router.app(.anlaka))
        processes(router)
    }

    /// Listings one by one.
    private func listings(_ app: RouterGroup<SignedInContext>) {
        let listings = ListingRoutes(listings: domain.listings)
        app.post("v1/estates", use: listings.create)
        app.get("v1/estates/:estateId", use: listings.show)
        app.post("v1/estates/batch", use: listings.batch)
    }

    /// Listings by where they are.
    private func map(_ app: RouterGroup<SignedInContext>) {
        let map = MapRoutes(map: domain.map)
        app.get("v1/estates/geolocation", use: map.nearest)
        let clusters = ClusterRoutes(clusters: domain.clusters, map: domain.map)
        app.get("v1/estates/clusters", use: clusters.show)
    }

    /// What the home screen shows, and what people like. Pictures need no more than the app's key.
    private func home(_ app: RouterGroup<SignedInContext>, _ open: RouterGroup<AppRequestContext>) {
        let home = HomeRoutes(picks: domain.picks, topics: domain.topics)
        app.get("v1/estates/today-estates", use: home.today)
        app.get("v1/estates/hot-estates", use: home.hot)
        app.get("v1/estates/similar-estates", use: home.similar)
        app.get("v1/estates/today-topic", use: home.topics)

        let banners = BannerRoutes()
        app.get("v1/banners/main", use: banners.list)
        open.get("v1/data/banners/:name", use: banners.picture)

        let likes = LikeRoutes(likes: domain.likes)
        app.post("v1/estates/:estateId/like", use: likes.set)
        app.get("v1/estates/likes/me", use: likes.list)
    }

    private func comments(_ app: RouterGroup<SignedInContext>) {
        let comments = CommentRoutes(comments: domain.comments)
        app.post("v1/estates/:estateId/comments", use: comments.create)
        app.get("v1/estates/:estateId/comments", use: comments.list)
        app.put("v1/estates/:estateId/comments/:commentId", use: comments.change)
        app.delete("v1/estates/:estateId/comments/:commentId", use: comments.delete)
    }

    /// The search for places.
    private func places(_ app: RouterGroup<SignedInContext>) {
    }

    /// Pictures, which need no more than the app's key.
    private func pictures(_ app: RouterGroup<SignedInContext>, _ open: RouterGroup<AppRequestContext>) {
        let pictures = PictureRoutes(pictures: domain.pictures)
        app.post("v1/estates/files", use: pictures.upload)
        open.get("v1/data/estates/:name", use: pictures.show)
    }

    /// What other processes of ours ask and tell.
    private func processes(_ router: RouterGroup<AppRequestContext>) {
        inbox.add(to: router)
        let listings = ListingViewRoutes(listings: domain.listings)
        router.get("internal/listings", use: listings.list)
        router.post("internal/listings", use: ImportRoutes(listings: domain.listings).create)
    }
}
