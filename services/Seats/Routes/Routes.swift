import Contracts
import Hummingbird
import Outbox
import ServiceHost

/// The URL map of the seats service.
struct Routes {
    let catalogue: StationCatalogue
    let passengers: PassengerRoutes
    let statuses: RidingStatuses
    let tags: Tags
    let reports: Reports
    let favorites: Favorites
    let inbox: Inbox

    func add(to router: RouterGroup<AppRequestContext>) {
        let app = router.app(.seatcatcher)
        let stations = StationRoutes(catalogue: catalogue)
        app.signedIn.get("stations", use: stations.search)
        app.signedIn.get("stations/:stationId", use: stations.show)

        people(app.signedIn)

        router.get("internal/passengers/:account", use: passengers.show)
        inbox.add(to: router)
    }

    /// What people keep, and hold against each other.
    private func people(_ app: RouterGroup<SignedInContext>) {
        let statuses = RidingStatusRoutes(statuses: statuses)
        app.get("user/status", use: statuses.show)
        app.post("user/status", use: statuses.replace)
        app.patch("user/status", use: statuses.update)

        let tags = TagRoutes(tags: tags)
        app.get("tags", use: tags.list)
        app.get("tags/:id", use: tags.show)

        let reports = ReportRoutes(reports: reports)
        app.get("reports", use: reports.list)
        app.post("reports", use: reports.create)
        app.get("reports/me", use: reports.mine)
        app.get("reports/:reportId", use: reports.show)
        app.patch("reports/:reportId", use: reports.update)
        app.delete("reports/:reportId", use: reports.delete)

        let favorites = FavoriteRoutes(favorites: favorites)
        app.get("favorites", use: favorites.list)
        app.post("favorites", use: favorites.create)
        app.get("favorites/:id", use: favorites.show)
        app.put("favorites/:id", use: favorites.change)
        app.delete("favorites/:id", use: favorites.delete)
    }
}
