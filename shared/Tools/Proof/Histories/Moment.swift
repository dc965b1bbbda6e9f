/// A time of a run, in microseconds since its beginning, by one monotonic clock for all phones.
package struct Moment: Sendable, Hashable, Comparable, Codable {
    package var microseconds: Int64

    package init(microseconds: Int64) { self.microseconds = microseconds }

    package static func < (one: Moment, other: Moment) -> Bool { one.microseconds < other.microseconds }
}

extension Moment {
    /// For tests and schedules.
    package static func seconds(_ seconds: Double) -> Moment {
        Moment(microseconds: Int64((seconds * 1e6).rounded()))
    }

    /// The time some microseconds later.
    package func after(_ microseconds: Int64) -> Moment {
        let (sum, isTooLarge) = self.microseconds.addingReportingOverflow(microseconds)
        return Moment(microseconds: isTooLarge ? .max : sum)
    }
}

extension Moment: CustomStringConvertible {
    /// In seconds with three decimals, such as "12.045 s".
    package var description: String {
        let milliseconds = microseconds / 1000
        let digits = String(milliseconds.magnitude % 1000)
        let zeros = String(repeating: "0", count: 3 - digits.count)
        return "\(milliseconds < 0 ? "-" : "")\(milliseconds.magnitude / 1000).\(zeros)\(digits) s"
    }
}
