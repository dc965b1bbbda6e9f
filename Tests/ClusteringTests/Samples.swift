import TestKit
import Values

@testable import Clustering

/// Sample point sets of many kinds.
enum Samples {
    /// Spots of all densities, and points everywhere.
    static func spots(_ count: Int, seed: UInt64 = 7) -> [Point] {
        var random = SplitMix(state: seed)
        let spots = (0..<12).map { _ in
            (
                Double.random(in: 0...30_000, using: &random), Double.random(in: 0...30_000, using: &random),
                Double.random(in: 40...600, using: &random)
            )
        }
        return (0..<count).map { number in
            guard number % 7 > 0, let spot = spots.randomElement(using: &random) else {
                return Point(x: .random(in: 0...30_000, using: &random), y: .random(in: 0...30_000, using: &random))
            }
            // Nearly normal: the sum of several.
            func offset() -> Double { (0..<6).reduce(0) { sum, _ in sum + .random(in: -1...1, using: &random) } }
            return Point(x: spot.0 + spot.2 * offset(), y: spot.1 + spot.2 * offset())
        }
    }

    /// Equal distances everywhere.
    static func grid(_ side: Int) -> [Point] {
        (0..<side * side).map { Point(x: Double($0 % side) * 10, y: Double($0 / side) * 10) }
    }

    static func line(_ count: Int) -> [Point] { (0..<count).map { Point(x: Double($0 * $0 % 97), y: 0) } }

    /// The same few places again and again.
    static func duplicates(_ count: Int) -> [Point] {
        (0..<count).map { Point(x: Double($0 % 5) * 100, y: Double($0 % 3) * 100) }
    }

    static let all: [(name: String, points: [Point])] = [
        ("spots", spots(700)), ("few", spots(40)), ("grid", grid(16)), ("line", line(300)),
        ("duplicates", duplicates(200)), ("one place", Array(repeating: Point(x: 1, y: 1), count: 30)),
    ]
}
