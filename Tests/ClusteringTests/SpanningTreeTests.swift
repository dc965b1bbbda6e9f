import Testing

@testable import Clustering

@Suite struct SpanningTreeTests {
    /// Compares the tree with a brute-force one (Prim's algorithm).
    @Test(arguments: [
        Samples.spots(900), Samples.spots(5000, seed: 3), Samples.spots(3), Samples.grid(20), Samples.line(400),
        Samples.duplicates(300), Array(repeating: Point(x: 5, y: 5), count: 50),
    ])
    func spanningTree_hasWeightsOfBruteForce(points: [Point]) {
        let tree = KDTree(points)
        let neighbours = Neighbours(tree, k: min(5, points.count - 1))
        var cores = Array(repeating: 0.0, count: points.count)
        for place in 0..<tree.count { cores[Int(tree.order[place])] = neighbours.squaredCores[place] }
        // Checks at most about 300 points, to limit the time.
        for index in stride(from: 0, to: points.count, by: max(1, points.count / 300)) {
            let point = points[index]
            var distances = points.map { Self.squaredDistance($0, point) }
            distances.remove(at: index)
            distances.sort()
            #expect(cores[index] == distances[neighbours.k - 1])
        }
        let edges = SpanningTree(tree, neighbours).edges
        #expect(edges.count == points.count - 1)
        // It spans: joining its edges leaves one component.
        let components = Components(points.count)
        for edge in edges { #expect(components.join(edge.a, edge.b)) }
        for edge in edges {
            let (a, b) = (Int(tree.order[Int(edge.a)]), Int(tree.order[Int(edge.b)]))
            #expect(edge.squaredWeight == max(cores[a], cores[b], Self.squaredDistance(points[a], points[b])))
        }
        #expect(edges.map(\.squaredWeight).sorted() == Self.bruteForce(points, cores).sorted())
    }

    private static func squaredDistance(_ a: Point, _ b: Point) -> Double {
        let (dx, dy) = (a.x - b.x, a.y - b.y)
        return dx * dx + dy * dy
    }

    /// The weights of a minimum spanning tree; all such trees have the same.
    private static func bruteForce(_ points: [Point], _ cores: [Double]) -> [Double] {
        var weights = Array(repeating: Double.infinity, count: points.count)
        var isIn = Array(repeating: false, count: points.count)
        var result: [Double] = []
        var next = 0
        for _ in 1..<points.count {
            isIn[next] = true
            var nearest = -1
            for other in points.indices where !isIn[other] {
                let weight = max(cores[next], cores[other], squaredDistance(points[next], points[other]))
                weights[other] = min(weights[other], weight)
                if nearest < 0 || weights[other] < weights[nearest] { nearest = other }
            }
            result.append(weights[nearest])
            next = nearest
        }
        return result
    }
}
