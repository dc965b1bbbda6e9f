/// The state of one round of the spanning tree algorithm, for points and nodes of the tree.
final class Reachability: Sendable {
    let tree: KDTree
    let neighbours: Neighbours
    /// The component of each point, by its index in the tree.
    let components: Storage<Int32>
    /// The component of all points of a node; -1 if there are several.
    let componentOfNode: Storage<Int32>
    /// The square of the smallest core distance of a node's points.
    let leastCoreOfNode: Storage<Double>

    init(_ tree: KDTree, _ neighbours: Neighbours, components: Storage<Int32>) {
        self.tree = tree
        self.neighbours = neighbours
        self.components = components
        componentOfNode = Storage(tree.boxes.count, -1)
        leastCoreOfNode = Storage(tree.boxes.count, .infinity)
        for node in tree.firstLeaf..<tree.boxes.count {
            leastCoreOfNode[node] = tree.range(ofLeaf: node).reduce(.infinity) { min($0, neighbours.squaredCores[$1]) }
        }
        for node in stride(from: tree.firstLeaf - 1, through: 0, by: -1) {
            leastCoreOfNode[node] = min(leastCoreOfNode[2 * node + 1], leastCoreOfNode[2 * node + 2])
        }
    }

    func findComponentsOfNodes() {
        for node in tree.firstLeaf..<tree.boxes.count {
            let places = tree.range(ofLeaf: node)
            let component = places.first.map { components[$0] } ?? -1
            componentOfNode[node] = places.allSatisfy { components[$0] == component } ? component : -1
        }
        for node in stride(from: tree.firstLeaf - 1, through: 0, by: -1) {
            let (left, right) = (componentOfNode[2 * node + 1], componentOfNode[2 * node + 2])
            componentOfNode[node] = left == right ? left : -1
        }
    }

    /// Considers the edges of a point to its neighbours: none of them is longer than its core distance.
    @inline(__always)
    func lookAtNeighbours(of place: Int, _ found: Storage<SpanningTree.Edge>) {
        let own = Int(components[place])
        let core = neighbours.squaredCores[place]
        guard core < found[own].squaredWeight else { return }
        for slot in 0..<neighbours.k {
            let other = neighbours.places[place * neighbours.k + slot]
            let component = Int(components[Int(other)])
            guard component != own else { continue }
            let weight = max(core, neighbours.squaredCores[Int(other)])
            let edge = SpanningTree.Edge(squaredWeight: weight, a: Int32(place), b: other)
            if weight < found[own].squaredWeight { found[own] = edge }
            if weight < found[component].squaredWeight { found[component] = edge }
        }
    }
}
