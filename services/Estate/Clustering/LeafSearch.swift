/// Searches for lighter edges that leave the components of a leaf's points, for all of its points together.
final class LeafSearch {
    private let tree: KDTree
    private let neighbours: Neighbours
    private let components: Storage<Int32>
    private let componentOfNode: Storage<Int32>
    private let leastCoreOfNode: Storage<Double>
    private let known: Storage<SpanningTree.Edge>
    private let found: Storage<SpanningTree.Edge>
    private let stack: UnsafeMutablePointer<(node: Int32, distance: Double)>
    /// The leaf's points for which a lighter edge may exist.
    private let wanting: UnsafeMutablePointer<Int32>
    private var wantingCount = 0
    private var leastCore = Double.infinity

    /// - Parameters:
    ///   - known: By component, the lightest known edge.
    ///   - found: Receives lighter ones.
    init(_ reach: Reachability, known: Storage<SpanningTree.Edge>, found: Storage<SpanningTree.Edge>) {
        tree = reach.tree
        neighbours = reach.neighbours
        components = reach.components
        componentOfNode = reach.componentOfNode
        leastCoreOfNode = reach.leastCoreOfNode
        self.known = known
        self.found = found
        stack = .allocate(capacity: 128)
        wanting = .allocate(capacity: 64)
    }

    deinit {
        stack.deallocate()
        wanting.deallocate()
    }

    /// The weight that an edge of a component must be below.
    @inline(__always)
    private func bound(_ component: Int32) -> Double {
        min(known[Int(component)].squaredWeight, found[Int(component)].squaredWeight)
    }

    func run(_ leaf: Int) {
        let own = componentOfNode[leaf]
        if own >= 0, leastCoreOfNode[leaf] >= bound(own) { return }
        wantingCount = 0
        leastCore = .infinity
        for place in tree.range(ofLeaf: leaf) {
            let core = neighbours.squaredCores[place]
            guard core < bound(components[place]) else { continue }
            wanting[wantingCount] = Int32(place)
            wantingCount += 1
            leastCore = min(leastCore, core)
        }
        guard wantingCount > 0 else { return }
        if own < 0 { scan(leaf) }
        var node = leaf
        while node > 0 {
            visit(node & 1 == 1 ? node + 1 : node - 1, from: leaf, own)
            node = (node - 1) / 2
            let box = tree.boxes[leaf]
            let around = tree.boxes[node]
            let margin = max(
                0,
                min(
                    min(box.minX - around.minX, around.maxX - box.maxX),
                    min(box.minY - around.minY, around.maxY - box.maxY)
                )
            )
            if margin * margin >= widest(leaf, own) { return }
        }
    }

    /// The weight below which an edge is useful for any of the points.
    @inline(__always)
    private func widest(_ leaf: Int, _ own: Int32) -> Double {
        if own >= 0 { return bound(own) }
        var widest = 0.0
        for index in 0..<wantingCount {
            widest = max(widest, bound(components[Int(wanting[index])]))
        }
        return widest
    }

    private func visit(_ root: Int, from leaf: Int, _ own: Int32) {
        let box = tree.boxes[leaf]
        var widest = self.widest(leaf, own)
        guard leastCore < widest else { return }
        stack[0] = (Int32(root), tree.boxes[root].squaredDistance(box))
        var height = 1
        while height > 0 {
            height -= 1
            let (top, distance) = stack[height]
            let node = Int(top)
            guard distance < widest, leastCoreOfNode[node] < widest,
                own < 0 || componentOfNode[node] != own
            else { continue }
            if node >= tree.firstLeaf {
                scan(node)
                widest = self.widest(leaf, own)
                continue
            }
            let (left, right) = (2 * node + 1, 2 * node + 2)
            let toLeft = tree.boxes[left].squaredDistance(box)
            let toRight = tree.boxes[right].squaredDistance(box)
            if toLeft < toRight {
                stack[height] = (Int32(right), toRight)
                stack[height + 1] = (Int32(left), toLeft)
            } else {
                stack[height] = (Int32(left), toLeft)
                stack[height + 1] = (Int32(right), toRight)
            }
            height += 2
        }
    }

    private func scan(_ leaf: Int) {
        let box = tree.boxes[leaf]
        let places = tree.range(ofLeaf: leaf)
        for index in 0..<wantingCount {
            let place = Int(wanting[index])
            let own = components[place]
            let core = neighbours.squaredCores[place]
            let (x, y) = (tree.xs[place], tree.ys[place])
            var least = bound(own)
            guard core < least, box.squaredDistance(x, y) < least else { continue }
            for other in places {
                let (dx, dy) = (tree.xs[other] - x, tree.ys[other] - y)
                let weight = max(dx * dx + dy * dy, max(core, neighbours.squaredCores[other]))
                guard weight < least else { continue }
                let component = components[other]
                guard component != own else { continue }
                least = weight
                let edge = SpanningTree.Edge(squaredWeight: weight, a: Int32(place), b: Int32(other))
                found[Int(own)] = edge
                if weight < bound(component) { found[Int(component)] = edge }
            }
        }
    }
}
