import Contracts
import Hummingbird
import Outbox
import ServiceHost

/// The URL map of the seats service.
struct Routes {
    let catalogue: StationCatalogue
    let incomings: Incomings
    let cars: Cars
    let seating: Seating
    let exchange: Exchange
    let credits: Credits
    let journeys: Journeys
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
        app.signedIn.get("trains/incomings", use: IncomingRoutes(incomings: incomings).list)

        seats(app.signedIn)
        paths(app.signedIn)
        people(app.signedIn)

        router.get("internal/passengers/:account", use: passengers.show)
        inbox.add(to: router)
    }

    /// Who sits where, and who wants to.
    private func seats(_ app: RouterGroup<SignedInContext>) {
        app.get("trains", use: TrainRoutes(cars: cars).show)

        let seats = SeatRoutes(seating: seating, exchange: exchange)
        app.post("user/seats", use: seats.occupy)
        app.patch("user/seats", use: seats.confirm)
        app.delete("user/seats", use: seats.release)
        app.post("user/seats/:seatId/yield", use: seats.yield)
        app.patch("credit", use: CreditRoutes(credits: credits).change)
    }

    /// Paths, and journeys on them.
    private func paths(_ app: RouterGroup<SignedInContext>) {
        let paths = PathRoutes(journeys: journeys, catalogue: catalogue)
        app.post("path-histories", use: paths.create)
        app.get("path-histories", use: paths.list)
        app.post("path-histories/start-journey", use: paths.start)
        app.get("path-histories/:pathId", use: paths.show)
        app.patch("path-histories/:pathId", use: paths.touch)
        app.delete("path-histories/:pathId", use: paths.delete)
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
