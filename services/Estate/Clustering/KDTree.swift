/// A k-d tree over points of a plane (Bentley, "Multidimensional binary search trees used for associative searching",
/// 1975): every node splits its points at the median of the wider side. The points are stored in the order of the
/// leaves, so that neighbouring points are mostly close in memory; nodes are numbered as in a heap, the children of `i`
/// are `2i + 1` and `2i + 2`.
final class KDTree: Sendable {
    let count: Int
    /// Leaves are `firstLeaf...`; there are `leafCount` of them.
    let leafCount: Int
    let firstLeaf: Int
    /// The coordinates in the order of the tree.
    let xs: Storage<Double>
    let ys: Storage<Double>
    /// The index of each point in the input.
    let order: Storage<Int32>
    /// The bounding box of each node's points.
    let boxes: Storage<Box>
    /// The index of the first point of each leaf, followed by the number of points.
    let starts: Storage<Int32>

    private static let leafSize = 8

    /// - Parameter points: Finite coordinates.
    init(_ points: [Point]) {
        count = points.count
        var leaves = 1
        while points.count > leaves * Self.leafSize { leaves *= 2 }
        leafCount = leaves
        firstLeaf = leaves - 1
        xs = Storage(points.count, 0)
        ys = Storage(points.count, 0)
        order = Storage(points.count, 0)
        boxes = Storage(2 * leaves - 1, .empty)
        starts = Storage(leaves + 1, Int32(points.count))
        build(points)
    }

    func range(ofLeaf leaf: Int) -> Range<Int> {
        Int(starts[leaf - firstLeaf])..<Int(starts[leaf - firstLeaf + 1])
    }

    // MARK: Building

    private struct Item: BitwiseCopyable {
        var x: Double
        var y: Double
        var index: Int32
    }

    private func build(_ points: [Point]) {
        let items = Storage(points.count, Item(x: 0, y: 0, index: 0))
        points.withUnsafeBufferPointer { points in
            for index in points.indices {
                items[index] = Item(x: points[index].x, y: points[index].y, index: Int32(index))
            }
        }
        // The top of the tree is built on one core, the subtrees in parallel.
        var tops = [(node: 0, low: 0, high: count)]
        while tops.count < 4, tops[0].node < firstLeaf {
            tops = tops.flatMap { node, low, high in
                halve(items, node, low, high)
                let middle = (low + high) / 2
                return [(2 * node + 1, low, middle), (2 * node + 2, middle, high)]
            }
        }
        let jobs = tops
        BothCores.forEach(jobs.count) { job in
            let (node, low, high) = jobs[job]
            self.build(items, node, low, high)
        }
        for node in stride(from: (jobs[0].node - 1), through: 0, by: -1) where jobs[0].node > 0 {
            boxes[node] = boxes[2 * node + 1].joined(boxes[2 * node + 2])
        }
    }

    private func build(_ items: Storage<Item>, _ node: Int, _ low: Int, _ high: Int) {
        guard node < firstLeaf else {
            starts[node - firstLeaf] = Int32(low)
            var box = Box.empty
            for index in low..<high {
                let item = items[index]
                xs[index] = item.x
                ys[index] = item.y
                order[index] = item.index
                box.add(item.x, item.y)
            }
            boxes[node] = box
            return
        }
        halve(items, node, low, high)
        let middle = (low + high) / 2
        build(items, 2 * node + 1, low, middle)
        build(items, 2 * node + 2, middle, high)
        boxes[node] = boxes[2 * node + 1].joined(boxes[2 * node + 2])
    }

    /// Partitions a node's points at the median of the wider side of their box.
    private func halve(_ items: Storage<Item>, _ node: Int, _ low: Int, _ high: Int) {
        var box = Box.empty
        for index in low..<high { box.add(items[index].x, items[index].y) }
        if box.maxX - box.minX >= box.maxY - box.minY {
            Self.select(items.base, low, high - 1, (low + high) / 2) { $0.x }
        } else {
            Self.select(items.base, low, high - 1, (low + high) / 2) { $0.y }
        }
    }

    /// Quickselect (Hoare): afterwards elements before `target` are not greater than it, and elements after it not
    /// smaller.
    @inline(__always)
    private static func select(
        _ items: UnsafeMutablePointer<Item>,
        _ low: Int,
        _ high: Int,
        _ target: Int,
        _ key: (Item) -> Double
    ) {
        var (low, high) = (low, high)
        while low < high {
            let (a, b, c) = (key(items[low]), key(items[(low + high) / 2]), key(items[high]))
            let pivot = max(min(a, b), min(max(a, b), c))
            var (left, right) = (low, high)
            while left <= right {
                while key(items[left]) < pivot { left += 1 }
                while key(items[right]) > pivot { right -= 1 }
                if left <= right {
                    let item = items[left]
                    items[left] = items[right]
                    items[right] = item
                    left += 1
                    right -= 1
                }
            }
            if target <= right {
                high = right
            } else if target >= left {
                low = left
            } else {
                return
            }
        }
    }
}
