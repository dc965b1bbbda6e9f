import FoundationEssentials
import Postgres
import Subway

/// How long a seat is held for somebody: until the journey arrives, or until the train does.
struct Leases: Sendable {
    let catalogue: StationCatalogue
    let sightings: SightingStore
    let policy: SeatPolicy
    private let journeys = JourneyStore()

    init(catalogue: StationCatalogue, sightings: SightingStore, policy: SeatPolicy) {
        self.catalogue = catalogue
        self.sightings = sightings
        self.policy = policy
    }

    func lease(for account: Int64, in car: CarAddress, _ transaction: PostgresTransaction) async throws -> Lease {
        if let journey = try await journeys.active(of: account, in: transaction), journey.train == car.train,
            journey.isToday
        {
            return lease(on: journey)
        }
        let line = Line(parsing: String(car.code.prefix(1)))
        if let sighting = try await sightings.sighting(of: car.train.text, line: line, in: transaction) {
            return Lease(
                journey: nil,
                destination: sighting.terminalName,
                arrivesAt: max(sighting.arrivalAtTerminal, .now + 60)
            )
        }
        let arrivesAt = Date.now + policy.leaseSeconds
        return Lease(journey: nil, destination: terminal(of: line), arrivesAt: arrivesAt)
    }

    func lease(on journey: Journey) -> Lease {
        Lease(
            journey: journey.id,
            destination: catalogue.station(id: journey.end)?.name ?? "",
            arrivesAt: journey.expectedArrival
        )
    }

    /// The last stop of a line; the client cannot show an occupant without a destination.
    private func terminal(of line: Line?) -> String {
        let last = line.flatMap { catalogue.search(keyword: nil, line: $0, order: .up).last }
        return last?.name ?? "종점"
    }
}
