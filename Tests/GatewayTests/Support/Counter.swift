import Synchronization

/// Counts from 0.
final class Counter: Sendable {
    private let number = Mutex(0)
    var value: Int { number.withLock { $0 } }
    func next() -> Int {
        number.withLock { number in
            defer { number += 1 }
            return number
        }
    }
}
