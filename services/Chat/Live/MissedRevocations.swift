/// Finds the sessions whose revocation may not have been announced to this replica.
actor MissedRevocations {
    private let sessions: Sessions
    /// Earlier revocations have been read. No socket is older than this replica.
    private var readThrough = ContinuousClock.now

    init(sessions: Sessions) {
        self.sessions = sessions
    }

    func read(_ handle: @Sendable (String) -> Void) async throws {
        let start = ContinuousClock.now
        for session in try await sessions.revoked(since: readThrough) { handle(session) }
        readThrough = start
    }
}
