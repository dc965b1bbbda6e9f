/// Numbers of messages in a room. They are kept as ranges, since unread messages mostly follow each other.
struct MessageNumbers: Sendable, Equatable {
    private var ranges = RangeSet<Int64>()

    init() {}

    /// - Parameter bounds: The first and the last number of each range.
    init(bounds: [Int64]) {
        for index in stride(from: 0, to: bounds.count - 1, by: 2) where bounds[index] <= bounds[index + 1] {
            insert(bounds[index]...bounds[index + 1])
        }
    }

    var bounds: [Int64] { ranges.ranges.flatMap { [$0.lowerBound, $0.upperBound - 1] } }

    var isEmpty: Bool { ranges.isEmpty }

    var count: Int { ranges.ranges.reduce(0) { $0 + $1.count } }

    /// The number of those in an interval.
    func count(in interval: ClosedRange<Int64>) -> Int {
        let interval = Self.halfOpen(interval)
        return ranges.ranges.reduce(0) { $0 + $1.clamped(to: interval).count }
    }

    func contains(_ number: Int64) -> Bool { ranges.contains(number) }

    mutating func insert(_ numbers: ClosedRange<Int64>) { ranges.insert(contentsOf: Self.halfOpen(numbers)) }

    mutating func insert(_ number: Int64) { insert(number...number) }

    mutating func remove(_ number: Int64) { ranges.remove(contentsOf: Self.halfOpen(number...number)) }

    mutating func remove(through number: Int64) { ranges.remove(contentsOf: Self.halfOpen(.min...number)) }

    /// Removes the lowest ranges, so that at most `limit` are left.
    ///
    /// - Returns: The last number removed; nil when none was.
    mutating func keepLast(_ limit: Int) -> Int64? {
        guard ranges.ranges.count > limit else { return nil }
        let last = ranges.ranges[ranges.ranges.count - limit - 1].upperBound - 1
        remove(through: last)
        return last
    }

    /// The greatest number cannot be a member: no room has as many messages.
    private static func halfOpen(_ numbers: ClosedRange<Int64>) -> Range<Int64> {
        let end = numbers.upperBound == .max ? Int64.max : numbers.upperBound + 1
        return min(numbers.lowerBound, end)..<end
    }
}
