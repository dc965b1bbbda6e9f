/// The single-linkage dendrogram: the joins of components as edges are added by weight. Nodes `0..<n` are points,
/// `n...` joins, by weight; the last is the root.
struct Dendrogram {
    let pointCount: Int
    /// By join: the joined nodes, the square of its weight, and its number of points.
    private(set) var left: [Int32] = []
    private(set) var right: [Int32] = []
    private(set) var squaredWeights: [Double] = []
    private(set) var sizes: [Int32] = []

    /// - Parameter edges: The edges of a spanning tree, sorted by weight.
    init(pointCount: Int, edges: [SpanningTree.Edge]) {
        self.pointCount = pointCount
        let joins = edges.count
        left.reserveCapacity(joins)
        right.reserveCapacity(joins)
        squaredWeights.reserveCapacity(joins)
        sizes.reserveCapacity(joins)
        let components = Components(pointCount)
        let nodes = Storage<Int32>(pointCount, 0)
        for point in 0..<pointCount { nodes[point] = Int32(point) }
        for edge in edges {
            let (a, b) = (components.find(edge.a), components.find(edge.b))
            let (nodeA, nodeB) = (nodes[Int(a)], nodes[Int(b)])
            left.append(nodeA)
            right.append(nodeB)
            squaredWeights.append(edge.squaredWeight)
            sizes.append(size(of: Int(nodeA)) + size(of: Int(nodeB)))
            _ = components.join(a, b)
            nodes[Int(components.find(a))] = Int32(pointCount + sizes.count - 1)
        }
    }

    func size(of node: Int) -> Int32 { node < pointCount ? 1 : sizes[node - pointCount] }
}
