/// The nearest neighbours of every point, and the distance of the last of them. Indices are those of the tree.
final class Neighbours: Sendable {
    /// The number of neighbours per point.
    let k: Int
    /// `k` neighbours for each point, the nearest first.
    let places: Storage<Int32>
    /// The square of each point's core distance, the distance to its `k`-th neighbour.
    let squaredCores: Storage<Double>

    /// - Parameter k: At least 1, and less than the number of points.
    init(_ tree: KDTree, k: Int) {
        self.k = k
        places = Storage(tree.count * k, 0)
        squaredCores = Storage(tree.count, 0)
        BothCores.forEachPart(of: tree.leafCount) { [places, squaredCores] _, leaves in
            let search = NeighbourSearch(tree, k: k)
            for leaf in leaves {
                for place in tree.range(ofLeaf: tree.firstLeaf + leaf) {
                    search.run(place, leaf: tree.firstLeaf + leaf)
                    squaredCores[place] = search.distances[k - 1]
                    (places.base + place * k).update(from: search.found, count: k)
                }
            }
        }
    }
}

/// Searches the neighbours of one point at a time, from its own leaf outward.
private final class NeighbourSearch {
    let distances: UnsafeMutablePointer<Double>
    let found: UnsafeMutablePointer<Int32>
    private let tree: KDTree
    private let k: Int
    private let stack: UnsafeMutablePointer<(node: Int32, distance: Double)>

    init(_ tree: KDTree, k: Int) {
        self.tree = tree
        self.k = k
        distances = .allocate(capacity: k)
        found = .allocate(capacity: k)
        stack = .allocate(capacity: 128)
    }

    deinit {
        distances.deallocate()
        found.deallocate()
        stack.deallocate()
    }

    func run(_ place: Int, leaf: Int) {
        distances.update(repeating: .infinity, count: k)
        let (x, y) = (tree.xs[place], tree.ys[place])
        scan(leaf, place, x, y)
        var node = leaf
        while node > 0 {
            let sibling = node & 1 == 1 ? node + 1 : node - 1
            visit(sibling, place, x, y)
            node = (node - 1) / 2
            // All points outside the box are farther than those found.
            if tree.boxes[node].squaredMargin(x, y) >= distances[k - 1] { return }
        }
    }

    private func visit(_ root: Int, _ place: Int, _ x: Double, _ y: Double) {
        let distance = tree.boxes[root].squaredDistance(x, y)
        guard distance < distances[k - 1] else { return }
        stack[0] = (Int32(root), distance)
        var height = 1
        while height > 0 {
            height -= 1
            let top = stack[height]
            guard top.distance < distances[k - 1] else { continue }
            let node = Int(top.node)
            if node >= tree.firstLeaf {
                scan(node, place, x, y)
                continue
            }
            let (left, right) = (2 * node + 1, 2 * node + 2)
            let toLeft = tree.boxes[left].squaredDistance(x, y)
            let toRight = tree.boxes[right].squaredDistance(x, y)
            // The nearer child is pushed last and therefore visited first.
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

    @inline(__always)
    private func scan(_ leaf: Int, _ own: Int, _ x: Double, _ y: Double) {
        var worst = distances[k - 1]
        for place in tree.range(ofLeaf: leaf) {
            let (dx, dy) = (tree.xs[place] - x, tree.ys[place] - y)
            let distance = dx * dx + dy * dy
            guard distance < worst, place != own else { continue }
            var slot = k - 1
            while slot > 0, distances[slot - 1] > distance {
                distances[slot] = distances[slot - 1]
                found[slot] = found[slot - 1]
                slot -= 1
            }
            distances[slot] = distance
            found[slot] = Int32(place)
            worst = distances[k - 1]
        }
    }
}
