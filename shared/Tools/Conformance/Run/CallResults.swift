import Synchronization

/// The results of all calls of a contract, which a scenario fills.
package final class CallResults: Sendable {
    private let contract: Contract
    private let state: Mutex<State>
    /// The number of requests in a row that may stay without an answer.
    private static let mostLost = 3

    private struct State {
        var results: [String: CallResult]
        var stops: [String] = []
        var lost = 0
    }

    package init(_ contract: Contract) {
        self.contract = contract
        let empty = contract.calls.map { ($0.name, CallResult(call: $0)) }
        state = Mutex(State(results: Dictionary(empty) { first, _ in first }))
    }

    /// In the contract's order.
    package var all: [CallResult] {
        let state = state.withLock { $0 }
        let stops = state.stops.joined(separator: "; ")
        return contract.calls.compactMap { call in
            guard var result = state.results[call.name] else { return nil }
            if result.verdict == .unasked, result.reason == nil {
                result.reason = stops.isEmpty ? "no scenario reached it" : stops
            }
            return result
        }
    }

    func record(_ call: String, as check: String, _ deviations: [Deviation]) {
        state.withLock { state in
            state.results[call]?.checks.append(check)
            state.results[call]?.deviations += deviations.map { .init(check: check, deviation: $0) }
        }
    }

    /// States why a call is not asked.
    func skip(_ call: String, because reason: String) {
        state.withLock { $0.results[call]?.reason = reason }
    }

    /// Notes that a part of the scenario ended early, which explains what was not asked.
    func stop(_ part: String, _ error: any Error) {
        state.withLock { $0.stops.append("“\(part)” stopped: \(error)") }
    }

    /// Counts requests without an answer.
    ///
    /// - Throws: `ConformanceError` when the server seems to have gone.
    func answered(_ isAnswered: Bool, _ why: String = "") throws(ConformanceError) {
        let lost = state.withLock { state in
            state.lost = isAnswered ? 0 : state.lost + 1
            return state.lost
        }
        guard lost < Self.mostLost else {
            throw ConformanceError("the server has not answered \(lost) requests in a row; the last one: \(why)")
        }
    }
}
