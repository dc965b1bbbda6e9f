/// The figures of a measurement's rounds, in their order.
///
/// One figure alone has no spread: nothing is known of how much it would differ in another round.
struct Samples: Sendable, Equatable {
    var values: [Double]

    init(_ values: [Double]) { self.values = values }
    init(_ value: Double) { values = [value] }

    /// The middle figure, or the mean of the two in the middle; 0 without figures.
    var median: Double { quantile(0.5) ?? 0 }
    /// 0 without figures.
    var minimum: Double { values.min() ?? 0 }
    /// The interquartile range: the distance between the figures that a quarter and three quarters of all lie below. A
    /// single slow round does not change it. nil for fewer than two figures.
    var spread: Double? {
        guard values.count > 1, let low = quantile(0.25), let high = quantile(0.75) else { return nil }
        return high - low
    }

    /// The figure that a share of all lie below, between the two nearest by linear interpolation; nil without figures.
    func quantile(_ share: Double) -> Double? {
        let sorted = values.sorted()
        guard let last = sorted.indices.last else { return nil }
        let place = share * Double(last)
        let index = min(Int(place), last)
        guard index < last else { return sorted[last] }
        return sorted[index] + (sorted[index + 1] - sorted[index]) * (place - Double(index))
    }

    /// Each round's figure divided by that of another measurement in the same round.
    ///
    /// - Returns: nil if the numbers of rounds differ, or a figure of the other is 0.
    func divided(by other: Samples) -> Samples? {
        guard !values.isEmpty, values.count == other.values.count, !other.values.contains(0) else { return nil }
        return Samples(zip(values, other.values).map { $0 / $1 })
    }

    /// What each round's figure has more than that of another measurement in the same round.
    func subtracting(_ other: Samples) -> Samples { Samples(zip(values, other.values).map { $0 - $1 }) }
}

extension Samples: Codable {
    init(from decoder: any Decoder) throws {
        values = try decoder.singleValueContainer().decode([Double].self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        // JSON has no infinity, which stands for a figure that could not be measured.
        try container.encode(values.filter(\.isFinite))
    }
}
