import Contracts
import Events
import FoundationEssentials
import Postgres
import ServiceKit
import Tracing
import Values

/// Writes messages in batches: messages that arrive while a transaction is running share the next one, and thus one
/// commit. Events are published only after the commit.
///
/// No batch waits for the lock on a room. The messages of a room that another transaction has locked are put back in their
/// order for a later batch, so that they delay no other room's and occupy no connection.
///
/// A message whose task is cancelled before it is in a batch is not written, so that what has waited longer than its
/// request, while the database was away, is not sent twice by its sender.
actor MessageWriter {
    private let database: PostgresClient
    private let batches: MessageBatch
    /// Called with the committed events, in the order of each room.
    private let publish: @Sendable ([RoomEvent]) async -> Void
    private var queues = RoomQueues<WaitingMessage>()
    /// The pauses of the rooms that other transactions have locked.
    private var pauses: [RoomID: Backoff] = [:]
    private var running = 0
    /// The number of messages that are not written yet.
    private(set) var waitingCount = 0
    /// How long a message waits for a locked room: as long as a transaction would, with its repetitions.
    private let lockTimeout: Duration

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
        lockTimeout = database.configuration.lockTimeout * 3
    }

    /// Writes a message, or returns the stored one with the same client ID.
    ///
    /// - Throws: `ChatError`, `RoomLocked`, `PostgresError`, or `CancellationError` if the message has not been written.
    ///   After a `PostgresError` the outcome is unknown; retry with the same client ID.
    func write(_ draft: MessageDraft) async throws -> Message {
        try draft.check()
        var draft = draft
        draft.trace = TraceContext.handedOn
        if Sabotage.messageIDIgnored.isBuiltIn { draft.clientID = nil }
        guard draft.files.isEmpty else { return try await alone(draft) }
        let waiting = WaitingMessage(draft, until: .now + lockTimeout)
        waitingCount += 1
        defer { waitingCount -= 1 }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard waiting.wait(continuation) else { return }
                queues.append(waiting, to: draft.room)
                startLane()
            }
        } onCancel: {
            waiting.cancel()
        }
    }

    /// Writes a message with files in a transaction of its own, since it can fail because of the files and would abort
    /// a batch.
    private func alone(_ draft: MessageDraft) async throws -> Message {
        let outcome = try await database.transaction(key: "room \(draft.room)") {
            try await batches.write([draft], in: $0)
        }
        await publish(outcome.events)
        return try outcome.results[0].get()
    }

    private func startLane() {
        guard running < Self.lanes, !queues.isIdle else { return }
        running += 1
        // A lane goes on for others than the one whose message has started it.
        Task { await ServiceContext.withValue(.topLevel) { await runLane() } }
    }

    private func runLane() async {
        while !queues.isIdle { await write(queues.take(Self.batchLimit)) }
        running -= 1
    }

    private func write(_ taken: [WaitingMessage]) async {
        let batch = taken.filter { $0.enterBatch() }
        var locked: [RoomID: [WaitingMessage]] = [:]
        do {
            let traces = batch.map { $0.draft.trace.flatMap { TraceContext(header: $0) } }
            let outcome = try await withBatchSpan("write messages", of: traces, in: .topLevel) { _ in
                try await database.transaction {
                    let outcome = try await batches.write(batch.map(\.draft), skipsLocked: true, in: $0)
                    if Sabotage.acknowledgedBeforeCommit.isBuiltIn {
                        for case (let waiting, .success(let message)) in zip(batch, outcome.results) {
                            waiting.decide(.success(message))
                        }
                        try await Task.sleep(for: .milliseconds(200))
                    }
                    return outcome
                }
            }
            for (waiting, result) in zip(batch, outcome.results) {
                if case .failure(is RoomLocked) = result {
                    waiting.leaveBatch()
                    locked[waiting.draft.room, default: []].append(waiting)
                } else {
                    waiting.decide(result)
                }
            }
            await publish(outcome.events)
        } catch {
            for waiting in batch { waiting.decide(.failure(error)) }
        }
        for room in Set(taken.map(\.draft.room)) {
            if let messages = locked[room] {
                putBack(messages, to: room)
            } else {
                pauses[room] = nil
                queues.release(room)
            }
        }
    }

    /// Tries again to write the messages of a locked room after a pause, except those that have waited long enough.
    private func putBack(_ messages: [WaitingMessage], to room: RoomID) {
        queues.putBack(messages, to: room)
        let now = ContinuousClock.now
        for late in queues.removeFirst(of: room, while: { $0.end <= now }) {
            late.decide(.failure(RoomLocked()))
        }
        let pause = pauses[room, default: Backoff(from: .milliseconds(5), to: .milliseconds(200))].next()
        Task {
            try? await Task.sleep(for: pause)
            queues.release(room)
            startLane()
        }
    }
}
