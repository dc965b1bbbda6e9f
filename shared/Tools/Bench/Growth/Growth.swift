import Glibc
import Values

/// The cost of an operation at several sizes of what it works on.
///
/// Its growth is the exponent of the power law that fits best, by least squares on the logarithms of both: 0 for a cost
/// that stays the same, 1 for one that is proportional to the size.
struct Growth: Sendable, Equatable {
    /// The size with its cost, at least two.
    var points: [(size: Double, cost: Double)]

    init(_ points: [(size: Double, cost: Double)]) { self.points = points }

    static func == (left: Growth, right: Growth) -> Bool { left.points.elementsEqual(right.points, by: ==) }

    /// The exponent; nil where sizes are equal, or a size or a cost is not above 0.
    var exponent: Double? {
        guard points.allSatisfy({ $0.size > 0 && $0.cost > 0 }), points.count > 1 else { return nil }
        let pairs = points.map { (x: log($0.size), y: log($0.cost)) }
        let count = Double(pairs.count)
        let (x, y) = (pairs.reduce(0) { $0 + $1.x } / count, pairs.reduce(0) { $0 + $1.y } / count)
        let square = pairs.reduce(0) { $0 + ($1.x - x) * ($1.x - x) }
        guard square > 0 else { return nil }
        return pairs.reduce(0) { $0 + ($1.x - x) * ($1.y - y) } / square
    }

    /// The exponent of n log (n + 1) at the same sizes; nothing may grow faster.
    var limit: Double { Growth(points.map { ($0.size, $0.size * log($0.size + 1)) }).exponent ?? 1 }

    /// A row for each size, and one for the exponent.
    ///
    /// - Parameters:
    ///   - title: The operation, such as "listings within 500 m".
    ///   - what: What there are more of, such as "listings".
    ///   - unit: Of the cost.
    func results(_ title: String, of what: String, unit: String) -> [BenchResult] {
        let costs = points.map { point in
            BenchResult(name: "\(title), \(Figure.text(point.size)) \(what)", unit: unit, ours: point.cost)
        }
        return costs + [
            BenchResult(
                name: "\(title), exponent of its growth",
                unit: "",
                ours: exponent ?? .infinity,
                goal: .atMost(limit)
            )
        ]
    }
}
