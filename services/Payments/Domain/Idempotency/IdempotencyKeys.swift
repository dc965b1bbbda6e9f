import FoundationEssentials
import Postgres

/// Returns the stored response, byte for byte, to a repeated request with the same idempotency key. Only successful
/// responses are stored: an error has changed nothing, and a retry may succeed.
struct IdempotencyKeys: Sendable {
    let database: PostgresClient
    let now: @Sendable () -> Date
    private let store = IdempotencyStore()

    /// Seconds after which an unanswered request can be taken again, twice its time limit: its process has died.
    private static let lease: TimeInterval = 30
    /// Seconds for which responses are stored.
    private static let remembered: TimeInterval = 86_400

    /// Reserves a request for this process. Waits while another process handles the same one.
    ///
    /// - Returns: The stored response; nil when the request is to be handled now.
    /// - Throws: `PaymentsError.keyReused`, `.keyBusy`.
    func begin(_ request: IdempotentRequest) async throws -> RecordedResponse? {
        for _ in 0..<40 {
            let now = now()
            let record = try await store.take(request, at: now, until: now + Self.lease, in: database)
            guard let record else { return nil }
            guard record.fingerprint == request.fingerprint else { throw PaymentsError.keyReused }
            if let answer = record.answer { return answer }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw PaymentsError.keyBusy
    }

    func finish(_ request: IdempotentRequest, _ answer: RecordedResponse) async throws {
        try await store.finish(request, answer, in: database)
    }

    /// Releases a request that has failed.
    func giveUp(_ request: IdempotentRequest) async {
        try? await store.giveUp(request, in: database)
    }

    /// Deletes old responses.
    func prune() async throws {
        try await store.prune(before: now() - Self.remembered, in: database)
    }
}
