import Clustering
import Values

/// Points distributed like listings on a map: clusters of all sizes, and scattered points.
enum ClustersDataset {
    /// Points in a square of 30 km, in metres; reproducible.
    static func points(_ count: Int) -> [Point] {
        var random = SplitMix(state: 7)
        let centres = (0..<60).map { _ in
            (Point(x: random.uniform(30_000), y: random.uniform(30_000)), 60 + random.uniform(540))
        }
        return (0..<count).map { number in
            guard number % 7 > 0 else { return Point(x: random.uniform(30_000), y: random.uniform(30_000)) }
            let (centre, spread) = centres[Int(random.next() % 60)]
            return Point(x: centre.x + spread * random.normal(), y: centre.y + spread * random.normal())
        }
    }
}

extension SplitMix {
    fileprivate mutating func uniform(_ limit: Double) -> Double {
        Double(next() >> 11) / 9_007_199_254_740_992 * limit
    }

    /// Approximately normal: the sum of twelve uniform numbers.
    fileprivate mutating func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + uniform(1) } }
}
