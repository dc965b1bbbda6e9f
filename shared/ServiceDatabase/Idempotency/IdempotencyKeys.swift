import Apps
package import Contracts
package import FoundationEssentials
package import Postgres

/// Returns the stored response to a repeated request with the same idempotency key. Only successful responses are
/// stored: an error has changed nothing, and a retry may succeed.
package struct IdempotencyKeys: Sendable {
    let database: PostgresClient
    let now: @Sendable () -> Date
    private let store = IdempotencyStore()

    /// Seconds after which an unanswered request can be taken again, twice its time limit: its process has died.
    private static let lease: TimeInterval = 30
    /// Less than the time limit of a request, so that its sender learns why it waits.
    private static let longestWait = Duration.seconds(4)
    /// Seconds for which responses are stored.
    private static let remembered: TimeInterval = 86_400

    package init(database: PostgresClient, now: @escaping @Sendable () -> Date) {
        self.database = database
        self.now = now
    }

    /// The migration that creates the table `requests`, with a version number of the service.
    package static func migration(version: Int) -> Migration {
        Migration(version: version, name: "requests", sql: PackageResources.requests_sql)
    }

    /// Reserves a request for this process. Waits while another process handles the same one.
    ///
    /// - Returns: the stored response; nil when the request is to be handled now.
    /// - Throws: `Problem`: `conflict` for a key of another request, `unavailable` while the same one is being handled.
    func begin(_ request: IdempotentRequest) async throws -> RecordedResponse? {
        let end = ContinuousClock.now + Self.longestWait
        while true {
            let now = now()
            let record = try await store.take(request, at: now, until: now + Self.lease, in: database)
            guard let record else { return nil }
            guard record.fingerprint == request.fingerprint else {
                throw Problem(.conflict, message: "The Idempotency-Key was used for another request.")
            }
            if let answer = record.answer { return answer }
            guard .now < end else {
                throw Problem(
                    .unavailable,
                    message: "The same request is still being answered; try again.",
                    retryAfter: 2
                )
            }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    func finish(_ request: IdempotentRequest, _ answer: RecordedResponse) async throws {
        try await store.finish(request, answer, in: database)
    }

    /// Releases a request that has failed.
    func release(_ request: IdempotentRequest) async {
        try? await store.release(request, in: database)
    }

    /// Deletes old responses.
    package func prune() async throws {
        try await store.prune(before: now() - Self.remembered, in: database)
    }

    /// Deletes the responses of a withdrawn account.
    package static func deleteAll(of account: AccountID, in transaction: PostgresTransaction) async throws {
        try await IdempotencyStore().deleteAll(of: account, in: transaction)
    }
}
