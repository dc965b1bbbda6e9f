/// A minimum spanning tree over the mutual reachability of all points: the weight of an edge is its length or the core
/// distance of either end, whichever is greatest (Campello, Moulavi, Sander, "Density-based clustering based on
/// hierarchical density estimates", 2013, definition 5).
///
/// Borůvka's algorithm: in each round every component takes the lightest edge that leaves it. Candidates are searched
/// among the known neighbours, then in the tree, where nodes that cannot be nearer or lie within the component are
/// skipped (March, Ram, Gray, "Fast Euclidean minimum spanning tree", 2010).
struct SpanningTree {
    struct Edge: BitwiseCopyable, Sendable {
        var squaredWeight: Double
        /// Indices in the tree.
        var a: Int32
        var b: Int32

        static let none = Edge(squaredWeight: .infinity, a: -1, b: -1)
    }

    /// The edges, one fewer than the number of points.
    private(set) var edges: [Edge] = []

    init(_ tree: KDTree, _ neighbours: Neighbours) {
        let components = Components(tree.count)
        let reach = Reachability(tree, neighbours, components: components.flat)
        // The lightest edge found to leave each component, per part of the work and overall.
        let finds = (0..<BothCores.parts).map { _ in Storage(tree.count, Edge.none) }
        let known = Storage(tree.count, Edge.none)
        edges.reserveCapacity(tree.count)
        while components.count > 1 {
            components.flatten()
            reach.findComponentsOfNodes()
            for find in finds + [known] { find.fill(.none) }
            BothCores.forEachPart(of: tree.count) { part, places in
                for place in places { reach.lookAtNeighbours(of: place, finds[part]) }
            }
            Self.collect(finds, into: known, of: components.roots)
            BothCores.forEachPart(of: tree.leafCount) { part, leaves in
                let search = LeafSearch(reach, known: known, found: finds[part])
                for leaf in leaves { search.run(tree.firstLeaf + leaf) }
            }
            Self.collect(finds, into: known, of: components.roots)
            for component in components.roots {
                let edge = known[Int(component)]
                // An edge that would close a cycle with edges of equal weight is omitted.
                if components.join(edge.a, edge.b) { edges.append(edge) }
            }
        }
    }

    private static func collect(_ finds: [Storage<Edge>], into known: Storage<Edge>, of components: [Int32]) {
        for component in components.map(Int.init) {
            for find in finds where find[component].squaredWeight < known[component].squaredWeight {
                known[component] = find[component]
            }
        }
    }
}
