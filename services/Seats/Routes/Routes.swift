import Contracts
import Hummingbird
import Outbox
import ServiceHost

/// The URL map of the seats service.
struct Routes {
    let catalogue: StationCatalogue
    let incomings: Incomings
    let passengers: PassengerRoutes
    let inbox: Inbox

    func add(to router: RouterGroup<AppRequestContext>) {
        let app = router.app(.seatcatcher)
        let stations = StationRoutes(catalogue: catalogue)
        app.signedIn.get("stations", use: stations.search)
        app.signedIn.get("stations/:stationId", use: stations.show)
        app.signedIn.get("trains/incomings", use: IncomingRoutes(incomings: incomings).list)

        router.get("internal/passengers/:account", use: passengers.show)
        inbox.add(to: router)
    }
}
