import Glibc
import Values

/// Places of values on the vertical axis of a plot, from 0 at the bottom to 1.
struct PlotScale: Sendable, Equatable {
    private let low: Double
    private let high: Double
    let isLogarithmic: Bool
    /// The values that the axis names, ascending.
    let ticks: [Double]

    /// - Parameters:
    ///   - values: Those that are shown; the axis begins at 0, or with a logarithmic one at a power of ten.
    ///   - isLogarithmic: Whether each power of ten takes the same place.
    init(_ values: some Sequence<Double>, isLogarithmic: Bool = false) {
        self.isLogarithmic = isLogarithmic
        let shown = values.filter { $0.isFinite && (!isLogarithmic || $0 > 0) }
        let (least, most) = (shown.min() ?? 0, shown.max() ?? 0)
        guard !isLogarithmic else {
            let first = shown.isEmpty ? 0 : Int(log10(least).rounded(.down))
            let last = max(first + 1, shown.isEmpty ? 1 : Int(log10(most).rounded(.up)))
            (low, high) = (Double(first), Double(last))
            ticks = (first...last).map { pow(10, Double($0)) }
            return
        }
        let step = Self.step(to: most > 0 ? most : 1)
        let count = max(1, Int(((most > 0 ? most : 1) / step - 1e-9).rounded(.up)))
        (low, high) = (0, Double(count) * step)
        ticks = (0...count).map { Double($0) * step }
    }

    func place(_ value: Double) -> Double {
        let shown = isLogarithmic ? log10(max(value, pow(10, low))) : value
        return min(max((shown - low) / (high - low), 0), 1)
    }

    /// 1, 2 or 5 times a power of ten, so that at most four steps reach a value.
    private static func step(to value: Double) -> Double {
        let power = pow(10, log10(value / 4).rounded(.down))
        return [1, 2, 5, 10].map { $0 * power }.first { $0 * 4 >= value * 0.999_999 } ?? 10 * power
    }
}
