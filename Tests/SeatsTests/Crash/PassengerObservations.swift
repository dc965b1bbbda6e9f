import Contracts
import FoundationEssentials
import Synchronization
import TestKit

@testable import Seats

/// The observations of all passengers: the players choose their requests from them, and the final checks use them.
struct PassengerObservations: Sendable {
    /// The presumed occupants, by seat.
    var owners: [SeatID: AccountID] = [:]
    var requests: [SeatID: [AccountID]] = [:]
    /// Journeys that were confirmed.
    var journeys: [JourneyID] = []
    var bodies: [Int64: String] = [:]
    /// The last snapshot of each socket.
    var shown: [Int: String] = [:]
    var messages = 0
}

extension CrashRecord<PassengerObservations> {
    /// Records an answer that confirmed the occupant of a seat.
    func occupied(_ seat: SeatID, by account: AccountID) {
        left(account)
        observations.withLock { state in
            state.owners[seat] = account
            state.requests[seat] = nil
        }
    }

    func left(_ account: AccountID) {
        observations.withLock { state in state.owners = state.owners.filter { $0.value != account } }
    }

    func requested(_ seat: SeatID, by account: AccountID) {
        observations.withLock { $0.requests[seat, default: []].append(account) }
    }

    var owners: [SeatID: AccountID] { observations.withLock(\.owners) }

    func requests(for seat: SeatID) -> [AccountID] { observations.withLock { $0.requests[seat] ?? [] } }

    /// A journey that was confirmed.
    func started(journey: JourneyID) { observations.withLock { $0.journeys.append(journey) } }

    /// Records a snapshot that a socket received. A message has the same body on every copy of the service.
    func shown(_ body: String, id: Int64, on socket: Int) {
        let known = observations.withLock { state in
            state.messages += 1
            state.shown[socket] = body
            let known = state.bodies[id]
            if known == nil { state.bodies[id] = body }
            return known
        }
        if let known, known != body { defect("message \(id) has two bodies:\n\(known)\n\(body)") }
    }

    var journeys: [JourneyID] { observations.withLock(\.journeys) }
    var shown: [Int: String] { observations.withLock(\.shown) }
}
