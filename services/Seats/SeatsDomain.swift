import Contracts
import Outbox
import Postgres
import Subway

/// The use cases of the service, put together.
struct SeatsDomain: Sendable {
    let catalogue: StationCatalogue
    let cars: Cars
    let seating: Seating
    let exchange: Exchange
    let credits: Credits
    let journeys: Journeys
    let passengers: Passengers
    let withdrawal: Withdrawal
    let leases: Leases

    init(database: PostgresClient, stations: [Station], policy: SeatPolicy) {
        catalogue = StationCatalogue(stations)
        leases = Leases(catalogue: catalogue, policy: policy)
        cars = Cars(database: database)
        seating = Seating(database: database, leases: leases, policy: policy)
        exchange = Exchange(database: database, leases: leases, policy: policy)
        credits = Credits(database: database, policy: policy)
        journeys = Journeys(
            database: database,
            catalogue: catalogue,
            map: LineMap(stations),
            leases: leases,
            policy: policy
        )
        passengers = Passengers(database: database, policy: policy)
        withdrawal = Withdrawal(journeys: journeys, policy: policy)
    }
}
