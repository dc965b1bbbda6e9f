package import NIOCore
import Synchronization

/// Answers that many clients receive alike, each kept with the version of what it shows.
///
/// A request reads the version, which is cheaper than what it is the version of. A kept answer is therefore as new as one that
/// is made for the request, in every copy of a service.
package final class KeptAnswers<Key: Hashable & Sendable, Version: Equatable & Sendable>: Sendable {
    private let answers = Mutex<[Key: (version: Version, content: ByteBuffer)]>([:])
    /// The number of answers at which all are dropped, which bounds the memory.
    private let limit: Int

    package init(limit: Int) {
        self.limit = limit
    }

    /// The answer to a request: the kept one, if it is of this version, or a new one, which is kept from then on.
    ///
    /// - Parameters:
    ///   - version: nil for what has no version, and is not kept.
    ///   - make: Makes the answer, and says of which version it is, possibly a later one.
    package func content(
        of key: Key,
        at version: Version?,
        make: () async throws -> (content: ByteBuffer, version: Version?)
    ) async throws -> ByteBuffer {
        if let version, let kept = answers.withLock({ $0[key] }), kept.version == version { return kept.content }
        let new = try await make()
        if let version = new.version {
            answers.withLock { answers in
                if answers.count >= limit { answers.removeAll() }
                answers[key] = (version, new.content)
            }
        }
        return new.content
    }
}
