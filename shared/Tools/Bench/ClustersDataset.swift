import Clustering

/// Points distributed like listings on a map: clusters of all sizes, and scattered points.
enum ClustersDataset {
    /// Points in a square of 30 km, in metres; reproducible.
    static func points(_ count: Int) -> [Point] {
        var random = Sequence(state: 7)
        let centres = (0..<60).map { _ in
            (Point(x: random.uniform(30_000), y: random.uniform(30_000)), 60 + random.uniform(540))
        }
        return (0..<count).map { number in
            guard number % 7 > 0 else { return Point(x: random.uniform(30_000), y: random.uniform(30_000)) }
            let (centre, spread) = centres[Int(random.next() % 60)]
            return Point(x: centre.x + spread * random.normal(), y: centre.y + spread * random.normal())
        }
    }

    /// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
    private struct Sequence: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
            return mixed ^ (mixed >> 31)
        }

        mutating func uniform(_ limit: Double) -> Double { Double(next() >> 11) / 9_007_199_254_740_992 * limit }

        /// Approximately normal: the sum of twelve uniform numbers.
        mutating func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + uniform(1) } }
    }
}
