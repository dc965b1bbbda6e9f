import Apps
import Contracts
import Events
import Hummingbird
import ServiceKit

/// The routes of the estate service.
struct Routes {
    let domain: EstateDomain
    let inbox: Inbox

    init(_ domain: EstateDomain, inbox: Inbox) {
        self.domain = domain
        self.inbox = inbox
    }

    func add(to router: ServiceRouter) {
        let app = router.app(Anlaka.self)
        listings(app)
        map(app)
        home(app)
        comments(app)
        places(app)
        pictures(app)
        processes(router)
    }

    /// Single listings.
    private func listings(_ app: AppRoutes<Anlaka>) {
        let listings = ListingRoutes(listings: domain.listings)
        app.on(\.createEstate, use: listings.create)
        app.on(\.getEstate, use: listings.show)
        app.on(\.getEstates, use: listings.batch)
    }

    /// The map.
    private func map(_ app: AppRoutes<Anlaka>) {
        let map = MapRoutes(map: domain.map)
        app.on(\.searchEstates, use: map.nearest)
        let clusters = ClusterRoutes(clusters: domain.clusters)
        app.on(\.listClusters, use: clusters.show)
    }

    /// The home screen and likes. Banner images require only the app key.
    private func home(_ app: AppRoutes<Anlaka>) {
        let home = HomeRoutes(picks: domain.picks, topics: domain.topics)
        app.on(\.listTodayEstates, use: home.today)
        app.on(\.listHotEstates, use: home.hot)
        app.on(\.listSimilarEstates, use: home.similar)
        app.on(\.listTopics, use: home.topics)

        let banners = BannerRoutes()
        app.on(\.listBanners, use: banners.list)
        app.on(\.getBannerImage, use: banners.picture)

        let likes = LikeRoutes(likes: domain.likes)
        app.on(\.setEstateLike, use: likes.set)
        app.on(\.listLikedEstates, use: likes.list)
    }

    private func comments(_ app: AppRoutes<Anlaka>) {
        let comments = CommentRoutes(comments: domain.comments)
        app.on(\.createEstateComment, use: comments.create)
        app.on(\.listEstateComments, use: comments.list)
        app.on(\.updateEstateComment, use: comments.change)
        app.on(\.deleteEstateComment, use: comments.delete)
    }

    /// Search for places.
    private func places(_ app: AppRoutes<Anlaka>) {
        let places = PlaceRoutes(places: domain.places)
        app.on(\.searchPlaces, use: places.search)
        app.on(\.reverseGeocode, use: places.name)
    }

    /// Pictures. Downloads require only the app key.
    private func pictures(_ app: AppRoutes<Anlaka>) {
        let pictures = PictureRoutes(pictures: domain.pictures)
        app.on(\.uploadEstatePictures, use: pictures.upload)
        app.on(\.getEstatePicture, use: pictures.show)
    }

    /// Internal routes for other services and operators.
    private func processes(_ router: ServiceRouter) {
        inbox.add(to: router)
        let listings = ListingViewRoutes(listings: domain.listings)
        router.on(.get, "internal/listings", from: .payments, use: listings.list)
        router.on(.post, "internal/listings", from: .stack, use: ImportRoutes(listings: domain.listings).create)
        let operators = OperatorRoutes(clusters: domain.clusters)
        router.on(.get, "internal/operators/map", from: .console, use: operators.map)
    }
}
