import ServiceKit
import Synchronization

/// The ids of messages that sockets have got, recorded in batches: while one batch is written, the next one fills.
final class DeliveryBatches: Sendable {
    private let ids = Mutex<[LiveMessageID]>([])
    private let signal = AsyncSignal()
    /// More waiting ids than a healthy database leaves. Beyond it, a push notification may repeat what was shown.
    private static let mostWaiting = 100_000

    func add(_ id: LiveMessageID) {
        let isFirst = ids.withLock { ids in
            guard ids.count < Self.mostWaiting else { return false }
            ids.append(id)
            return ids.count == 1
        }
        if isFirst { signal.wake() }
    }

    /// Writes batches until the task is cancelled. A batch that cannot be written is kept for the next one.
    func run(_ write: ([LiveMessageID]) async throws -> Void, failed: (any Error) -> Void) async {
        while !Task.isCancelled {
            let batch = ids.withLock { ids in
                defer { ids = [] }
                return ids
            }
            guard !batch.isEmpty else {
                await signal.sleep(atMost: .seconds(60))
                continue
            }
            do {
                try await write(batch)
            } catch {
                if !Task.isCancelled { failed(error) }
                ids.withLock { $0.insert(contentsOf: batch, at: 0) }
                try? await Task.sleep(for: .milliseconds(500))
            }
        }
    }
}
