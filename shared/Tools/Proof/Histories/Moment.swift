/// A time of a run, in microseconds since its beginning, by one monotonic clock for all phones.
package struct Moment: Sendable, Hashable, Comparable, Codable {
    package var microseconds: Int64

    package init(microseconds: Int64) { self.microseconds = microseconds }

    package static func < (one: Moment, other: Moment) -> Bool { one.microseconds < other.microseconds }
}
