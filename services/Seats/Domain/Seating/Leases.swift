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
        let (journey, sighting) = try await transaction.run(journey(of: account), sighting(of: car))
        return lease(in: car, journey: journey, sighting: sighting)
    }

    /// The journey that somebody is on.
    func journey(of account: Int64) -> Statement<Journey?> {
        journeys.active(of: account)
    }

    /// Where a car's train was last seen.
    func sighting(of car: CarAddress) -> Statement<Sighting?> {
        sightings.sighting(of: car.train.text, line: line(of: car))
    }

    /// - Parameters:
    ///   - journey: the passenger's.
    ///   - sighting: the train's.
    func lease(in car: CarAddress, journey: Journey?, sighting: Sighting?) -> Lease {
        if let journey, journey.train == car.train, journey.isToday { return lease(on: journey) }
        if let sighting {
            return Lease(
                journey: nil,
                destination: sighting.terminalName,
                arrivesAt: max(sighting.arrivalAtTerminal, .now + 60)
            )
        }
        return Lease(journey: nil, destination: terminal(of: line(of: car)), arrivesAt: .now + policy.leaseSeconds)
    }

    /// The line that the first digit of a car's code names.
    private func line(of car: CarAddress) -> Line? {
        Line(parsing: String(car.code.prefix(1)))
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
