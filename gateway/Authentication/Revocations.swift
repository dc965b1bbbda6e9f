import Contracts
import Synchronization

/// Sessions that ended before their access tokens expired: remembered for as long as such a token could still be shown.
final class Revocations: Sendable {
    private struct Entry {
        var cause: AuthAPI.Revocations.Cause
        var until: Int64
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// When entries that are past their time are looked for next.
        var nextPruning = Int64.min
    }

    private static let pruningInterval: Int64 = 60
    private let state = Mutex(State())

    /// - Parameters:
    ///   - leeway: seconds after their expiry during which access tokens still count.
    ///   - now: seconds since 1970.
    func add(_ revocations: [AuthAPI.Revocations.Revocation], leeway: Int64, now: Int64) {
        state.withLock { state in
            for revocation in revocations {
                let until = max(revocation.until + leeway, state.entries[revocation.session]?.until ?? .min)
                state.entries[revocation.session] = Entry(cause: revocation.cause, until: until)
            }
            guard now >= state.nextPruning else { return }
            state.nextPruning = now + Self.pruningInterval
            state.entries = state.entries.filter { $0.value.until > now }
        }
    }

    /// Why a session ended; nil for one that goes on, as far as is known.
    func cause(_ session: String) -> AuthAPI.Revocations.Cause? {
        state.withLock { $0.entries[session]?.cause }
    }

    var count: Int { state.withLock { $0.entries.count } }
}
