import Glibc

/// How long acts took, as a histogram whose buckets are 1 % wide, so that hours of them take little memory.
package struct Latencies: Sendable, Equatable {
    private static let step = log(1.01)
    /// In milliseconds; what is faster counts as this.
    private static let least = 0.05

    private var counts: [Int: Int] = [:]
    package private(set) var count = 0

    package init() {}

    package init(_ milliseconds: some Sequence<Double>) {
        for value in milliseconds { add(value) }
    }

    package mutating func add(_ milliseconds: Double) {
        counts[Int((log(max(milliseconds, Self.least) / Self.least) / Self.step).rounded(.down)), default: 0] += 1
        count += 1
    }

    package mutating func add(_ other: Latencies) {
        counts.merge(other.counts, uniquingKeysWith: +)
        count += other.count
    }

    /// The time in milliseconds that a share of acts stays below, within 1 %; nil without acts.
    package func quantile(_ share: Double) -> Double? {
        guard count > 0 else { return nil }
        var rest = max(1, Int((share * Double(count)).rounded(.up)))
        for (bucket, number) in counts.sorted(by: { $0.key < $1.key }) {
            rest -= number
            // The middle of the bucket.
            if rest <= 0 { return Self.least * exp((Double(bucket) + 0.5) * Self.step) }
        }
        return nil
    }
}
