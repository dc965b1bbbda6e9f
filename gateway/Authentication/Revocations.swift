import Synchronization

/// Sessions that ended before their access tokens expired: remembered for as long as such a token could still be shown.
final class Revocations: Sendable {
    private let until = Mutex<[String: Int64]>([:])

    /// - Parameters:
    ///   - session: the session's id.
    ///   - expiry: when the last access token of the session is past its time, leeway included, in seconds since 1970.
    func add(_ session: String, until expiry: Int64, now: Int64) {
        until.withLock { until in
            if until.count >= 1024, until.count.isMultiple(of: 1024) { until = until.filter { $0.value > now } }
            until[session] = max(expiry, until[session] ?? expiry)
        }
    }

    func contains(_ session: String) -> Bool {
        until.withLock { $0[session] != nil }
    }
}
