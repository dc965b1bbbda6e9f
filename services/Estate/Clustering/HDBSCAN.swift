/// Density clustering of points of a plane without a distance parameter: HDBSCAN* (Campello, Moulavi, Sander 2013;
/// McInnes, Healy 2017), exact, with the same result for every order of the points.
package struct HDBSCAN: Sendable {
    /// The minimum number of points of a cluster; at least 2.
    package var minClusterSize: Int
    /// The number of neighbours that defines a point's core distance; at least 1.
    package var minSamples: Int

    package init(minClusterSize: Int = 5, minSamples: Int = 5) {
        precondition(minClusterSize >= 2 && minSamples >= 1)
        self.minClusterSize = minClusterSize
        self.minSamples = minSamples
    }

    package struct Result: Sendable, Equatable {
        /// By point: the number of its cluster, from 0; -1 for noise. Clusters are numbered by their leftmost point,
        /// the lowest of several.
        package var labels: [Int]
        /// By point: the strength of its membership, from 0 to 1; 0 for noise.
        package var probabilities: [Double]
        package var clusterCount: Int
        /// The weight of the spanning tree of the mutual reachability.
        package var treeWeight: Double
    }

    /// Clusters points. Time is O(n log n), memory linear.
    ///
    /// - Parameter points: Finite coordinates below 1e150 in magnitude.
    package func cluster(_ points: [Point]) -> Result {
        precondition(points.allSatisfy { abs($0.x) < 1e150 && abs($0.y) < 1e150 }, "a point is not in the plane")
        guard points.count > 1 else {
            return Result(
                labels: points.map { _ in -1 },
                probabilities: points.map { _ in 0 },
                clusterCount: 0,
                treeWeight: 0
            )
        }
        let tree = KDTree(points)
        let neighbours = Neighbours(tree, k: min(minSamples, points.count - 1))
        let edges = SpanningTree(tree, neighbours).edges.sortedByWeight()
        let condensed = CondensedTree(
            Dendrogram(pointCount: points.count, edges: edges),
            minClusterSize: minClusterSize
        )
        var result = Self.label(points, tree, condensed)
        result.treeWeight = edges.reduce(0) { $0 + $1.squaredWeight.squareRoot() }
        return result
    }

    private static func label(_ points: [Point], _ tree: KDTree, _ condensed: CondensedTree) -> Result {
        let chosen = condensed.chosen()
        // The leftmost point of each selected cluster.
        var firsts = Array(repeating: Int32(-1), count: chosen.count)
        for place in 0..<tree.count {
            let cluster = Int(chosen[Int(condensed.clusterOfPoint[place])])
            guard cluster >= 0 else { continue }
            let first = Int(firsts[cluster])
            if first < 0 || (tree.xs[place], tree.ys[place]) < (tree.xs[first], tree.ys[first]) {
                firsts[cluster] = Int32(place)
            }
        }
        let ordered = firsts.indices.filter { firsts[$0] >= 0 }.sorted {
            let (a, b) = (Int(firsts[$0]), Int(firsts[$1]))
            return (tree.xs[a], tree.ys[a]) < (tree.xs[b], tree.ys[b])
        }
        var numbers = Array(repeating: -1, count: chosen.count)
        for (number, cluster) in ordered.enumerated() { numbers[cluster] = number }

        var labels = Array(repeating: -1, count: points.count)
        var probabilities = Array(repeating: 0.0, count: points.count)
        for place in 0..<tree.count {
            let cluster = Int(chosen[Int(condensed.clusterOfPoint[place])])
            guard cluster >= 0 else { continue }
            let point = Int(tree.order[place])
            let death = condensed.deaths[cluster]
            labels[point] = numbers[cluster]
            probabilities[point] = death > 0 ? min(1, condensed.lambdaOfPoint[place] / death) : 1
        }
        return Result(labels: labels, probabilities: probabilities, clusterCount: ordered.count, treeWeight: 0)
    }
}
