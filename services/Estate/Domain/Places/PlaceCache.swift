import FoundationEssentials
import Postgres
import ServiceKit

/// A cache of place searches in the database, shared by all replicas. Stale responses are used while the provider is
/// unavailable; concurrent requests of this replica for the same search share one task.
final class PlaceCache: Sendable {
    private let database: PostgresClient
    private let now: @Sendable () -> Date
    private let store = PlaceStore()
    private let requests = SingleFlight<String, any Sendable>()

    /// Maximum age of a response in seconds.
    static let longest: TimeInterval = 90 * 86_400
    /// Maximum number of responses; the oldest are removed.
    static let limit = 200_000

    init(database: PostgresClient, now: @escaping @Sendable () -> Date) {
        self.database = database
        self.now = now
    }

    /// The response to a question: the cached one while it is fresh, or else a new one, or else the stale one.
    ///
    /// - Parameters:
    ///   - question: Normalized key, which includes the kind of search.
    ///   - freshness: Seconds.
    /// - Throws: `EstateError.placesUnavailable` when there is none, or the `EstateError` of `ask`.
    func answer<Answer: Codable & Sendable>(
        to question: String,
        freshness: TimeInterval,
        _ ask: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        let answer = try await requests.value(for: question) {
            try await self.find(question, freshness: freshness, ask)
        }
        guard let answer = answer as? Answer else { throw EstateError.placesUnavailable }
        return answer
    }

    private func find<Answer: Codable & Sendable>(
        _ question: String,
        freshness: TimeInterval,
        _ ask: @Sendable () async throws -> Answer
    ) async throws -> Answer {
        let kept = try await store.answer(to: question, as: Answer.self, in: database)
        if let kept, now().timeIntervalSince(kept.fetchedAt) < freshness { return kept.answer }
        let answer: Answer
        do {
            answer = try await ask()
        } catch {
            guard let kept else { throw error as? EstateError ?? .placesUnavailable }
            return kept.answer
        }
        try await store.save(answer, to: question, at: now(), in: database)
        return answer
    }

    /// Deletes responses that are too old or exceed the limit.
    func prune(limit: Int = PlaceCache.limit) async throws {
        try await store.prune(before: now() - Self.longest, keeping: limit, in: database)
    }
}
