import Synchronization

extension Sequence {
    /// Runs `body` for every element, and throws the first error at the end, so that one failing row does not block the
    /// others.
    func attemptEach(_ body: (Element) async throws -> Void) async throws {
        var failure: (any Error)?
        for element in self {
            do {
                try await body(element)
            } catch {
                try Task.checkCancellation()
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// As `attemptEach`; what fails is deferred.
    func attemptEach<ID>(
        deferring failed: DeferredRows<ID>,
        by id: (Element) -> ID,
        _ body: (Element) async throws -> Void
    ) async throws {
        try await attemptEach { element in
            do {
                try await body(element)
            } catch {
                failed.add(id(element))
                throw error
            }
        }
    }
}

/// Rows of which the handling has failed lately. A job leaves them out for a while, so that they do not hold up the others.
final class DeferredRows<ID: Hashable & Sendable>: Sendable {
    private let ends = Mutex<[ID: ContinuousClock.Instant]>([:])
    private let pause: Duration

    init(pause: Duration = .seconds(30)) {
        self.pause = pause
    }

    var current: [ID] {
        ends.withLock { ends in
            let now = ContinuousClock.now
            ends = ends.filter { $0.value > now }
            return Array(ends.keys)
        }
    }

    func add(_ id: ID) {
        ends.withLock { $0[id] = .now + pause }
    }
}
