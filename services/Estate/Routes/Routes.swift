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
        home(app)
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

    /// What the home screen shows, and what people like.
    private func home(_ app: RouterGroup<SignedInContext>) {
    }

    private func comments(_ app: RouterGroup<SignedInContext>) {
    }

    /// The search for places.
    private func places(_ app: RouterGroup<SignedInContext>) {
        let places = PlaceRoutes(places: domain.places)
        app.get("v1/places/search", use: places.search)
        app.get("v1/places/reverse", use: places.name)
    }

    /// Pictures, which need no more than the app's key.
    private func pictures(_ app: RouterGroup<SignedInContext>, _ open: RouterGroup<AppRequestContext>) {
    }

    /// What other processes of ours ask and tell.
    private func processes(_ router: RouterGroup<AppRequestContext>) {
        inbox.add(to: router)
    }
}
