import FoundationEssentials
import Hummingbird
import Synchronization

/// The configured faults and the recorded calls of all providers.
final class ScenarioState: Sendable {
    /// The names of the providers.
    let names: [String]
    private let state = Mutex(State())

    private struct State {
        var faults: [String: Fault] = [:]
        /// The calls by provider, numbered in order of arrival; each provider has a limit of its own.
        var calls: [String: [(number: Int, call: Call)]] = [:]
        var callCount = 0
    }

    /// The maximum number of calls kept per provider.
    private static let callLimit = 2000

    init(names: [String]) {
        self.names = names
    }

    func record(_ call: Call) {
        state.withLock { state in
            state.callCount += 1
            state.calls[call.provider, default: []].append((state.callCount, call))
            if let count = state.calls[call.provider]?.count, count > Self.callLimit {
                state.calls[call.provider]?.removeFirst(Self.callLimit / 2)
            }
        }
    }

    /// The calls to one provider, or to all, newest first.
    func calls(to provider: String?) -> [Call] {
        let calls = state.withLock { state in
            provider.map { state.calls[$0] ?? [] } ?? state.calls.values.flatMap(\.self)
        }
        return calls.sorted { $0.number > $1.number }.map(\.call)
    }

    /// Sets the fault of a provider's next calls, replacing an earlier one; a count of 0 removes it.
    func set(_ fault: Fault, for provider: String) {
        state.withLock { $0.faults[provider] = fault.count > 0 ? fault : nil }
    }

    /// The faults by provider.
    var allFaults: [String: Fault] { state.withLock(\.faults) }

    /// Takes the fault of the current call; nil if there is none.
    func takeFault(of provider: String) -> Fault.Kind? {
        state.withLock { state in
            guard var fault = state.faults[provider] else { return nil }
            fault.count -= 1
            state.faults[provider] = fault.count > 0 ? fault : nil
            return fault.kind
        }
    }
}

/// A fault: the next `count` calls fail in one way.
struct Fault: Sendable, Equatable {
    var kind: Kind
    var count: Int

    enum Kind: Sendable, Equatable {
        /// No response within any client's timeout.
        case timeout
        /// The call takes effect, and the response is lost.
        case lost
        /// The correct response, delayed.
        case slow(Duration)
        /// The provider's error response with this status; some providers respond to errors with 200.
        case http(HTTPResponse.Status)
    }
}

/// A call that a provider received.
struct Call: Codable, Sendable, Equatable {
    var provider: String
    var method: String
    /// The path without the provider's prefix.
    var path: String
    var query: String
    /// The body as text.
    var body: String
    /// ISO 8601, UTC, with milliseconds.
    var at: String
}
