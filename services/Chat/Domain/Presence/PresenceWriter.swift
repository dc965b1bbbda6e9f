/// Writes the presences of new sockets in batches: those that come while a batch is being written share the next one, so
/// that thousands of phones can connect within seconds.
actor PresenceWriter {
    private let write: @Sendable ([Presence]) async throws -> Void
    private var waiting: [(presence: Presence, continuation: CheckedContinuation<Void, any Error>)] = []
    private var isWriting = false

    /// The number of presences that wait for the write in progress.
    var count: Int { waiting.count }

    init(write: @escaping @Sendable ([Presence]) async throws -> Void) {
        self.write = write
    }

    /// Returns when the presence is stored.
    func save(_ presence: Presence) async throws {
        try await withCheckedThrowingContinuation { continuation in
            waiting.append((presence, continuation))
            if !isWriting {
                isWriting = true
                Task { await writeAll() }
            }
        }
    }

    private func writeAll() async {
        while !waiting.isEmpty {
            let batch = waiting
            waiting = []
            // A socket that has changed rooms meanwhile is in the last one.
            let presences = Dictionary(batch.map { ($0.presence.id, $0.presence) }) { $1 }
            do {
                try await write(Array(presences.values))
                for (_, continuation) in batch { continuation.resume() }
            } catch {
                for (_, continuation) in batch { continuation.resume(throwing: error) }
            }
        }
        isWriting = false
    }
}
