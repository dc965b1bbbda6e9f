/// How components join as edges are added by weight: single linkage. Nodes `0..<n` are points, `n...` joins, by weight; the
/// last is the root.
struct Dendrogram {
    let pointCount: Int
    /// By join: the nodes that it joins, the square of its weight, and how many points it has.
    private(set) var left: [Int32] = []
    private(set) var right: [Int32] = []
    private(set) var squaredWeights: [Double] = []
    private(set) var sizes: [Int32] = []

    /// - Parameter edges: a spanning tree, by weight.
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
