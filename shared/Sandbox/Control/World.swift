import FoundationEssentials
import Hummingbird
import Synchronization

/// What the levers have set and what has been called: the sandbox's memory, apart from the providers' own.
final class World: Sendable {
    /// Names of the providers.
    let names: [String]
    private let state = Mutex(State())

    private struct State {
        var faults: [String: Fault] = [:]
        /// By provider, so that one that is called very often leaves the others theirs; numbered as they came.
        var calls: [String: [(number: Int, call: Call)]] = [:]
        var callCount = 0
    }

    /// Older calls to a provider are forgotten.
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

    /// Sets what goes wrong next at a provider, in place of what was set before; a count of 0 mends it.
    func set(_ fault: Fault, for provider: String) {
        state.withLock { $0.faults[provider] = fault.count > 0 ? fault : nil }
    }

    /// What goes wrong with the call that has just come in; nil when all is well.
    func takeFault(of provider: String) -> Fault.Kind? {
        state.withLock { state in
            guard var fault = state.faults[provider] else { return nil }
            fault.count -= 1
            state.faults[provider] = fault.count > 0 ? fault : nil
            return fault.kind
        }
    }
}

/// A provider's bad day: the next `count` calls fail in one way.
struct Fault: Sendable, Equatable {
    var kind: Kind
    var count: Int

    enum Kind: Sendable, Equatable {
        /// No answer for longer than anyone waits.
        case timeout
        /// The provider does what it is asked, and the answer never comes.
        case lost
        /// The right answer, late.
        case slow(Duration)
        /// The provider's refusal with this status instead of the right answer; some refuse with 200.
        case http(HTTPResponse.Status)
    }
}

/// A call that a provider received.
struct Call: Codable, Sendable, Equatable {
    var provider: String
    var method: String
    /// Without the provider's prefix, as the real one would see it.
    var path: String
    var query: String
    /// The body as text.
    var body: String
    /// ISO 8601, UTC, with milliseconds.
    var at: String
}
