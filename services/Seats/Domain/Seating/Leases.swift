import FoundationEssentials
import Postgres
import Subway

/// How long a seat is held for somebody: until the journey arrives, or until the train does.
struct Leases: Sendable {
    let catalogue: StationCatalogue
    let policy: SeatPolicy
    private let journeys = JourneyStore()
    private let sightings = SightingStore()

    init(catalogue: StationCatalogue, policy: SeatPolicy) {
        self.catalogue = catalogue
        self.policy = policy
    }

    func lease(for account: Int64, in car: CarAddress, _ transaction: PostgresTransaction) async throws -> Lease {
        if let journey = try await journeys.active(of: account, in: transaction), journey.train == car.train {
            return lease(on: journey)
        }
        if let sighting = try await sightings.sighting(of: car.train.text, in: transaction) {
            return Lease(
                journey: nil,
                destination: sighting.terminalName,
                arrivesAt: max(sighting.arrivalAtTerminal, .now + 60)
            )
        }
        let arrivesAt = Date.now + policy.leaseSeconds
        return Lease(journey: nil, destination: terminal(ofLineOf: car), arrivesAt: arrivesAt)
    }

    func lease(on journey: Journey) -> Lease {
        Lease(
            journey: journey.id,
            destination: catalogue.station(id: journey.end)?.name ?? "",
            arrivesAt: journey.expectedArrival
        )
    }

    /// The last stop of the line that the first digit of a car's code names; the client cannot show an occupant without a
    /// destination.
    private func terminal(ofLineOf car: CarAddress) -> String {
        let line = Line(parsing: String(car.code.prefix(1)))
        let last = line.flatMap { catalogue.search(keyword: nil, line: $0, order: .up).last }
        return last?.name ?? "종점"
    }
}
