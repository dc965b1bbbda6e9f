import FoundationEssentials
import Postgres

/// Answers a request that comes again under the same name as it was answered before, byte for byte. Only what was done is kept:
/// a refusal has changed nothing, and the next attempt may fare better.
struct RepeatableRequests: Sendable {
    let database: PostgresClient
    let now: @Sendable () -> Date
    private let store = RequestStore()

    init(database: PostgresClient, now: @escaping @Sendable () -> Date) {
        self.database = database
        self.now = now
    }

    /// A request that was taken and not answered may be taken again after so many seconds, twice as many as it may take: its
    /// process is gone.
    private static let lease: TimeInterval = 30
    /// So long answers are kept, in seconds.
    private static let remembered: TimeInterval = 86_400

    /// Takes a request to be answered here. Waits while it is being answered elsewhere.
    ///
    /// - Returns: what it was answered before; nil when it is to be answered now.
    /// - Throws: `PaymentsError.keyReused`, `.keyBusy`.
    func begin(_ request: RepeatableRequest) async throws -> RecordedAnswer? {
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

    func finish(_ request: RepeatableRequest, _ answer: RecordedAnswer) async throws {
        try await store.finish(request, answer, in: database)
    }

    /// It was refused, or could not be answered.
    func giveUp(_ request: RepeatableRequest) async {
        try? await store.giveUp(request, in: database)
    }

    /// Forgets what was answered long ago.
    func prune() async throws {
        try await store.prune(before: now() - Self.remembered, in: database)
    }
}
