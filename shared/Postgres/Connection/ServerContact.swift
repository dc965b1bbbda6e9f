/// What the connections of a client have noticed of the server.
@PostgresLoop
final class ServerContact {
    /// When anything was received from the server last.
    var lastHeard = ContinuousClock.now
    /// The servers whose hosts have not accepted a connection; see `LibPQ.server`.
    var silentServers: Set<String> = []

    private var silenceFound: ContinuousClock.Instant?

    nonisolated init() {}

    /// Returns when nothing has been received for a time since the call, or at once if nothing has been received since that
    /// was found last.
    func silence(lasting limit: Duration) async throws {
        let start = ContinuousClock.now
        if let silenceFound, lastHeard < silenceFound { return }
        while true {
            let end = max(start, lastHeard) + limit
            guard .now < end else { break }
            try await Task.sleep(until: end)
        }
        silenceFound = .now
    }
}
