import Synchronization

/// Whether another tenth of something is reached, for lines that say how far it is.
final class Tenths: Sendable {
    private let total: Int
    private let reported = Atomic<Int>(0)

    init(of total: Int) { self.total = max(1, total) }

    func isNew(_ count: Int) -> Bool {
        let tenth = count * 10 / total
        return reported.exchange(tenth, ordering: .relaxed) < tenth
    }
}
