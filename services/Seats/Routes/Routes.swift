import Apps
import Contracts
import Events
import Hummingbird
import ServiceDatabase
import ServiceKit

/// The URL map of the seats service.
struct Routes {
    let catalogue: StationCatalogue
    let incomings: Incomings
    let cars: Cars
    let aliases: TrainAliases
    let seating: Seating
    let exchange: SeatExchange
    let credits: Credits
    let journeys: Journeys
    let passengers: PassengerRoutes
    let operators: OperatorRoutes
    let statuses: RidingStatuses
    let tags: Tags
    let reports: Reports
    let favorites: Favorites
    let requests: IdempotencyKeys
    let inbox: Inbox

    func add(to router: ServiceRouter) {
        let repeatable = IdempotencyMiddleware<SignedInContext>(requests: requests, account: \.account)
        let app = router.app(SeatCatcher.self).add(middleware: repeatable)
        let stations = StationRoutes(catalogue: catalogue)
        app.on(\.searchStations, use: stations.search)
        app.on(\.getStation, use: stations.show)
        app.on(\.listIncomingTrains, use: IncomingRoutes(incomings: incomings).list)

        seats(app)
        paths(app)
        people(app)

        router.on(.get, "internal/passengers/:account", from: .auth, use: passengers.show)
        router.on(.get, "internal/operators/trains", from: .console, use: operators.trains)
        router.on(.get, "internal/operators/cars", from: .console, use: operators.car)
        inbox.add(to: router)
    }

    /// Cars, seats, yield requests and credit.
    private func seats(_ app: AppRoutes<SeatCatcher>) {
        app.on(\.getCar, use: TrainRoutes(cars: cars, aliases: aliases).show)

        let seats = SeatRoutes(seating: seating, exchange: exchange)
        app.on(\.occupySeat, use: seats.occupy)
        app.on(\.confirmSeat, use: seats.confirm)
        app.on(\.releaseSeat, use: seats.release)
        app.on(\.yieldSeat, use: seats.yield)
        app.on(\.changeCredit, use: CreditRoutes(credits: credits).change)
    }

    /// Paths and journeys.
    private func paths(_ app: AppRoutes<SeatCatcher>) {
        let paths = PathRoutes(journeys: journeys, catalogue: catalogue)
        app.on(\.createPath, use: paths.create)
        app.on(\.listPaths, use: paths.list)
        app.on(\.startJourney, use: paths.start)
        app.on(\.getPath, use: paths.show)
        app.on(\.updatePath, use: paths.touch)
        app.on(\.deletePath, use: paths.delete)
    }

    /// Riding statuses, tags, reports and favorites.
    private func people(_ app: AppRoutes<SeatCatcher>) {
        let statuses = RidingStatusRoutes(statuses: statuses)
        app.on(\.getRidingStatus, use: statuses.show)
        app.on(\.replaceRidingStatus, use: statuses.replace)
        app.on(\.updateRidingStatus, use: statuses.update)

        let tags = TagRoutes(tags: tags)
        app.on(\.listTags, use: tags.list)
        app.on(\.getTag, use: tags.show)

        let reports = ReportRoutes(reports: reports)
        app.on(\.listReports, use: reports.list)
        app.on(\.createReport, use: reports.create)
        app.on(\.listOwnReports, use: reports.mine)
        app.on(\.getReport, use: reports.show)
        app.on(\.updateReport, use: reports.update)
        app.on(\.deleteReport, use: reports.delete)

        let favorites = FavoriteRoutes(favorites: favorites)
        app.on(\.listFavorites, use: favorites.list)
        app.on(\.createFavorite, use: favorites.create)
        app.on(\.getFavorite, use: favorites.show)
        app.on(\.updateFavorite, use: favorites.change)
        app.on(\.deleteFavorite, use: favorites.delete)
    }
}
