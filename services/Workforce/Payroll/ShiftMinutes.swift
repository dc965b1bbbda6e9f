/// The minutes of a shift (MOUP contract 3D, T1). An open shift has none.
package struct ShiftMinutes: Sendable, Equatable {
    /// From start to end.
    package var gross = 0
    package var rest = 0
    /// Paid minutes between 22:00 and 06:00; the break is deducted in proportion.
    package var night = 0

    package var net: Int { gross - rest }

    /// The maximum length of a shift, which is a day.
    package static let longest = 24 * 60

    package init(_ shift: Shift) {
        guard let length = shift.length, length > 0 else { return }
        gross = length
        rest = min(max(0, shift.rest), length)
        let atNight = Self.atNight(from: shift.start, to: shift.start + length)
        night = atNight - rest * atNight / gross
    }

    /// Minutes between 22:00 and 06:00 (Labor Standards Act 56(3)).
    private static func atNight(from start: Int, to end: Int) -> Int {
        let day = 24 * 60
        let nights = [(-2 * 60, 6 * 60), (22 * 60, 30 * 60), (46 * 60, 54 * 60)]
        precondition((0..<day).contains(start) && end <= start + day)
        return nights.reduce(0) { $0 + max(0, min(end, $1.1) - max(start, $1.0)) }
    }
}
