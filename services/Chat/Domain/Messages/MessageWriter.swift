import FoundationEssentials
import Outbox
import Postgres

/// Writes messages, many in one transaction: what comes while a transaction is under way waits and goes together into the
/// next one, so a crowd shares the wait for the disk. Nobody hears of a message before its transaction has committed.
actor MessageWriter {
    private struct Waiting {
        var draft: MessageDraft
        var continuation: CheckedContinuation<Message, any Error>
    }

    private let database: PostgresClient
    private let batches: MessageBatch
    /// Told of what has been committed, in the order of each room.
    private let told: @Sendable ([RoomEvent]) async -> Void
    private var waiting: [Waiting] = []
    private var running = 0

    /// Transactions that are under way at a time: while one waits for the disk, another does its work.
    private static let lanes = 2
    private static let batchLimit = 128

    init(
        database: PostgresClient,
        batches: MessageBatch,
        told: @escaping @Sendable ([RoomEvent]) async -> Void
    ) {
        self.database = database
        self.batches = batches
        self.told = told
    }

    /// Writes a message; the one that its sender has written before under the same id is returned as it is.
    ///
    /// - Throws: `ChatError`, `PostgresError`. After the latter it is not known whether it was written: try again under the
    ///   same id.
    func write(_ draft: MessageDraft) async throws -> Message {
        try draft.check()
        guard draft.files.isEmpty else { return try await alone(draft) }
        return try await withCheckedThrowingContinuation { continuation in
            waiting.append(Waiting(draft: draft, continuation: continuation))
            startLane()
        }
    }

    /// One with files may fail for these, which must not spoil others.
    private func alone(_ draft: MessageDraft) async throws -> Message {
        let outcome = try await database.transaction { try await batches.write([draft], in: $0) }
        await told(outcome.events)
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
            await told(outcome.events)
        } catch {
            for waiting in batch { waiting.continuation.resume(throwing: error) }
        }
    }
}
