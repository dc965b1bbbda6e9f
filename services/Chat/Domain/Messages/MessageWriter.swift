import Events
import FoundationEssentials
import Postgres

/// Writes messages in batches: messages that arrive while a transaction is running share the next one, and thus one
/// commit. Events are published only after the commit.
actor MessageWriter {
    private struct Waiting {
        var draft: MessageDraft
        var continuation: CheckedContinuation<Message, any Error>
    }

    private let database: PostgresClient
    private let batches: MessageBatch
    /// Called with the committed events, in the order of each room.
    private let publish: @Sendable ([RoomEvent]) async -> Void
    private var waiting: [Waiting] = []
    private var running = 0

    /// Number of concurrent transactions: one can work while the other waits for its commit.
    private static let lanes = 2
    private static let batchLimit = 128

    init(
        database: PostgresClient,
        batches: MessageBatch,
        publish: @escaping @Sendable ([RoomEvent]) async -> Void
    ) {
        self.database = database
        self.batches = batches
        self.publish = publish
    }

    /// Writes a message, or returns the stored one with the same client ID.
    ///
    /// - Throws: `ChatError`, `PostgresError`. After a `PostgresError` the outcome is unknown; retry with the same
    ///   client ID.
    func write(_ draft: MessageDraft) async throws -> Message {
        try draft.check()
        guard draft.files.isEmpty else { return try await alone(draft) }
        return try await withCheckedThrowingContinuation { continuation in
            waiting.append(Waiting(draft: draft, continuation: continuation))
            startLane()
        }
    }

    /// Writes a message with files in a transaction of its own, since it can fail because of the files and would abort
    /// a batch.
    private func alone(_ draft: MessageDraft) async throws -> Message {
        let outcome = try await database.transaction { try await batches.write([draft], in: $0) }
        await publish(outcome.events)
        return try outcome.results[0].get()
    }

    private func startLane() {
        guard running < Self.lanes else { return }
        running += 1
        Task {
            while !waiting.isEmpty { await writeNext() }
            running -= 1
        }
    }

    private func writeNext() async {
        let batch = Array(waiting.prefix(Self.batchLimit))
        waiting.removeFirst(batch.count)
        do {
            let outcome = try await database.transaction { try await batches.write(batch.map(\.draft), in: $0) }
            for (waiting, result) in zip(batch, outcome.results) { waiting.continuation.resume(with: result) }
            await publish(outcome.events)
        } catch {
            for waiting in batch { waiting.continuation.resume(throwing: error) }
        }
    }
}
