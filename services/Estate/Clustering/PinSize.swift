/// The size of a cluster's pin (Anlaka contract 4.3, step 8).
package enum PinSize {
    package static let least = 25.0
    package static let most = 50.0

    /// Square-root interpolation over the counts on a screen, in points; the minimum if all are equal.
    package static func size(count: Int, among counts: ClosedRange<Int>) -> Double {
        guard counts.lowerBound < counts.upperBound else { return least }
        let share = Double(count - counts.lowerBound) / Double(counts.upperBound - counts.lowerBound)
        return least + (most - least) * min(max(share, 0), 1).squareRoot()
    }
}
