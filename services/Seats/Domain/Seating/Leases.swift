import Contracts
import FoundationEssentials
import Postgres
import Subway

/// Computes the lease of a seat: until the arrival of the journey, or of the train at its terminal.
struct Leases: Sendable {
    let catalogue: StationCatalogue
    let sightings: TrainPositionStore
    let policy: SeatPolicy
    private let journeys = JourneyStore()

    func lease(for account: AccountID, in car: CarAddress, _ transaction: PostgresTransaction) async throws -> Lease {
        let (journey, sighting) = try await transaction.run(journey(of: account), sighting(of: car))
        return lease(in: car, journey: journey, sighting: sighting)
    }

    /// The active journey of a passenger.
    func journey(of account: AccountID) -> Statement<Journey?> {
        journeys.active(of: account)
    }

    /// The last known position of a car's train.
    func sighting(of car: CarAddress) -> Statement<TrainPosition?> {
        sightings.sighting(of: car.train.text, line: car.line)
    }

    /// - Parameters:
    ///   - journey: the passenger's active journey.
    ///   - sighting: the train's last known position.
    func lease(in car: CarAddress, journey: Journey?, sighting: TrainPosition?) -> Lease {
        if let journey, journey.train == car.train, journey.isToday { return lease(on: journey) }
        if let sighting {
            return Lease(
                journey: nil,
                destination: sighting.terminalName,
                arrivesAt: max(sighting.arrivalAtTerminal, .now + 60)
            )
        }
        return Lease(journey: nil, destination: terminal(of: car.line), arrivesAt: .now + policy.leaseSeconds)
    }

    func lease(on journey: Journey) -> Lease {
        Lease(
            journey: journey.id,
            destination: catalogue.station(id: journey.end)?.name ?? "",
            arrivesAt: journey.expectedArrival
        )
    }

    /// The last stop of a line; the client requires a destination for an occupant.
    private func terminal(of line: Line?) -> String {
        let last = line.flatMap { catalogue.search(keyword: nil, line: $0, order: .up).last }
        return last?.name ?? "종점"
    }
}
