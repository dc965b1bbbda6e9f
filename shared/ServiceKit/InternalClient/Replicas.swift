import Synchronization

/// The addresses of a service's replicas, which calls use in turn. One that has refused a connection is left out for a
/// second, unless all have: an address at which a copy runs during upgrades only costs a call no time.
final class Replicas: Sendable {
    private struct State {
        var turn = 0
        /// The ends of the times for which addresses are left out, by index.
        var absentUntil: [Int: ContinuousClock.Instant] = [:]
    }

    private static let absence = Duration.seconds(1)

    /// The number of addresses.
    let count: Int
    private let addresses: [String]
    private let state = Mutex(State())

    init(_ addresses: [String]) {
        self.addresses = addresses
        count = addresses.count
    }

    /// The number of the next call, for round-robin.
    func turn() -> Int {
        state.withLock { state in
            defer { state.turn = (state.turn + 1) & 0xFFFF }
            return state.turn
        }
    }

    /// The address for an attempt of a call.
    ///
    /// - Parameter number: The call's turn plus its previous attempts.
    func address(_ number: Int, at now: ContinuousClock.Instant = .now) -> String {
        state.withLock { state in
            let present = addresses.indices.filter { now >= state.absentUntil[$0] ?? now }
            return present.isEmpty ? addresses[number % count] : addresses[present[number % present.count]]
        }
    }

    /// Records that no process listens at an address.
    func refused(_ address: String, at now: ContinuousClock.Instant = .now) {
        state.withLock { state in
            for index in addresses.indices where addresses[index] == address {
                state.absentUntil[index] = now + Self.absence
            }
        }
    }
}
