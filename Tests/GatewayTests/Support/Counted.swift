import Synchronization

/// A number that several tasks add to.
final class Counted: Sendable {
    private let count = Mutex(0)

    func add(_ number: Int) { count.withLock { $0 += number } }

    var value: Int { count.withLock { $0 } }

    /// Waits until the number no longer changes.
    func settled() async throws -> Int {
        var last = -1
        while last != value || last <= 0 {
            last = value
            try await Task.sleep(for: .milliseconds(200))
        }
        return last
    }
}
