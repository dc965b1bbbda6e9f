import FoundationEssentials
import Postgres
import Synchronization

/// Answers to questions for places, kept in the database for all copies of the service. An old one serves while nobody
/// answers; a question that several ask of this copy at the same time is asked once.
final class PlaceCache: Sendable {
    private let database: PostgresClient
    private let now: @Sendable () -> Date
    private let store = PlaceStore()
    private let flights = Mutex<[String: any Sendable]>([:])

    /// No answer is kept for longer.
    static let longest: TimeInterval = 90 * 86_400
    /// Answers that are kept at most, the newest.
    static let limit = 200_000

    init(database: PostgresClient, now: @escaping @Sendable () -> Date) {
        self.database = database
        self.now = now
    }

    /// The answer to a question: the kept one while it is fresh, else a new one, else the kept one all the same.
    ///
    /// - Parameters:
    ///   - question: spelled one way; questions of different kinds differ.
    ///   - freshness: seconds.
    /// - Throws: `EstateError.placesUnavailable` without any.
    func answer<Answer: Codable & Sendable>(
        to question: String,
        freshness: TimeInterval,
        _ ask: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        let flight = flights.withLock { flights in
            if let flight = flights[question] as? Task<Answer, any Error> { return flight }
            // On its own, so that one who gives up takes nothing from the others who wait.
            let flight = Task {
                defer { self.flights.withLock { $0[question] = nil } }
                return try await self.find(question, freshness: freshness, ask)
            }
            flights[question] = flight
            return flight
        }
        return try await flight.value
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
            guard let kept else { throw EstateError.placesUnavailable }
            return kept.answer
        }
        try await store.save(answer, to: question, at: now(), in: database)
        return answer
    }

    /// Lets go of answers that are too old, or too many.
    func prune(limit: Int = PlaceCache.limit) async throws {
        try await store.prune(before: now() - Self.longest, keeping: limit, in: database)
    }
}
