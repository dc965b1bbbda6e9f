/// The maximum distance of two pins in a group: the rule by which Anlaka's client groups pins at a zoom level (Anlaka
/// contract 4.3, steps 1 and 5).
struct ZoomThreshold {
    let zoom: Double

    /// The base distance of the zoom level, in metres. Fractional levels have a single value.
    var base: Double {
        switch zoom {
        case 6: 8000
        case 7: 4000
        case 8: 2000
        case 9: 1000
        case 10: 500
        case 11: 250
        case 12: 120
        case 13: 60
        case 14: 30
        case 15: 15
        default: 150
        }
    }

    /// The weight of the zoom level relative to the density of the pins.
    private var weight: Double {
        switch zoom {
        case 6: 0.8
        case 7: 0.7
        case 8: 0.6
        case 9: 0.5
        case 10: 0.4
        case 11: 0.3
        case 12: 0.2
        case 13: 0.1
        case 14: 0.05
        case 15: 0.02
        default: 0.2
        }
    }

    /// The number of neighbours to consider.
    ///
    /// - Parameters:
    ///   - count: The number of pins, at least 1.
    ///   - spacing: The mean distance of a pin to its nearest neighbour, in metres.
    func neighbours(count: Int, spacing: Double) -> Int {
        let factor: Double =
            switch spacing / base {
            case ..<0.3: 1.5
            case ..<0.7: 1.2
            case ..<1.2: 1.0
            case ..<2.0: 0.8
            default: 0.6
            }
        return Self.neighbours(count: count, factor: factor)
    }

    /// - Parameter factor: At most 1.5.
    static func neighbours(count: Int, factor: Double) -> Int {
        max(3, min(mostNeighbours(count), Int(Double(usualNeighbours(count)) * factor)))
    }

    static func usualNeighbours(_ count: Int) -> Int {
        switch count {
        case ..<100: 3
        case ..<500: 5
        case ..<2000: 8
        default: 12
        }
    }

    static func mostNeighbours(_ count: Int) -> Int {
        let cap =
            switch count {
            case ..<100: 20
            case ..<1000: 40
            case ..<10_000: 60
            case ..<100_000: 80
            default: 100
            }
        return min(cap, Int.bitWidth - 1 - max(1, count).leadingZeroBitCount)
    }

    /// The weight beyond which an edge is cut, in metres.
    ///
    /// - Parameter cores: The core distances of all pins, ascending, not empty.
    func distance(cores: [Double]) -> Double {
        let level = levelDistance(cores)
        let mixed = level * weight + Self.quantile(cores, 0.75) * 2.5 * (1 - weight)
        return min(max(mixed, 0.2 * level), 3 * level)
    }

    /// The zoom level's distance, increased if the density of the pins varies.
    private func levelDistance(_ cores: [Double]) -> Double {
        guard cores.count >= 3, let mean = Self.mean(cores[...]), mean > 0 else { return base }
        let trimmed = cores[(cores.count / 10)..<(cores.count * 9 / 10)]
        let spread = (Self.quantile(cores, 0.75) - Self.quantile(cores, 0.25)) / mean
        let stretch =
            1 + 0.3 * min(0.8, 0.5 * Self.variation(cores[...])) + 0.4 * min(0.6, 0.3 * spread)
            + 0.3 * min(0.4, 0.4 * Self.variation(trimmed))
        return min(max(base * stretch, 0.5 * base), 2 * base)
    }

    private static func quantile(_ sorted: [Double], _ share: Double) -> Double {
        sorted[Int(share * Double(sorted.count - 1))]
    }

    private static func mean(_ values: ArraySlice<Double>) -> Double? {
        values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }

    /// The coefficient of variation: the standard deviation divided by the mean.
    private static func variation(_ values: ArraySlice<Double>) -> Double {
        guard let mean = mean(values), mean > 0 else { return 0 }
        let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
        return variance.squareRoot() / mean
    }
}
