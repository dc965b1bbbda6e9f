import FoundationEssentials
import Postgres
import ServiceDatabase

/// SQL of cached place searches. Questions are normalized to NFC, since keyboards compose syllables differently.
struct PlaceStore: Sendable {
    func answer<Answer: Codable & Sendable>(
        to question: String,
        as type: Answer.Type,
        in database: some Querying
    ) async throws -> (answer: Answer, fetchedAt: Date)? {
        try await database.optional(
            "SELECT answer, fetched_at FROM place_answers WHERE question = normalize(\(question), NFC)"
        ) { row in
            let (answer, fetchedAt) = try row.decode(as: (PostgresJSON<Answer>, Date).self)
            return (answer.value, fetchedAt)
        }
    }

    func save<Answer: Codable & Sendable>(
        _ answer: Answer,
        to question: String,
        at now: Date,
        in database: some Querying
    ) async throws {
        try await database.execute(
            """
            INSERT INTO place_answers (question, answer, fetched_at)
            VALUES (normalize(\(question), NFC), \(PostgresJSON(answer)), \(now))
            ON CONFLICT (question) DO UPDATE SET answer = excluded.answer, fetched_at = excluded.fetched_at
            """
        )
    }

    /// Deletes responses fetched before a time, and all but the newest `limit`.
    func prune(before oldest: Date, keeping limit: Int, in database: PostgresClient) async throws {
        try await database.prune(
            "place_answers",
            where: """
                fetched_at < greatest(\(oldest), (
                    SELECT fetched_at FROM place_answers ORDER BY fetched_at DESC OFFSET \(max(limit - 1, 0)) LIMIT 1))
                """
        )
    }
}
