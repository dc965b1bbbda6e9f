/// The connected components of points: union-find.
final class Components {
    private let parents: Storage<Int32>
    private let sizes: Storage<Int32>
    /// The component of each point as of the last `flatten`, by its root.
    let flat: Storage<Int32>
    private(set) var count: Int
    /// The roots as of the last `flatten`.
    private(set) var roots: [Int32]

    init(_ points: Int) {
        parents = Storage(points, 0)
        sizes = Storage(points, 1)
        flat = Storage(points, 0)
        count = points
        roots = (0..<Int32(points)).map { $0 }
        for point in 0..<points { parents[point] = Int32(point) }
    }

    func flatten() {
        roots.removeAll(keepingCapacity: true)
        for point in 0..<parents.count {
            let root = find(Int32(point))
            flat[point] = root
            if root == Int32(point) { roots.append(root) }
        }
    }

    func find(_ point: Int32) -> Int32 {
        var point = point
        while parents[Int(point)] != point {
            parents[Int(point)] = parents[Int(parents[Int(point)])]
            point = parents[Int(point)]
        }
        return point
    }

    /// - Returns: False if the points are already connected.
    func join(_ a: Int32, _ b: Int32) -> Bool {
        var (a, b) = (find(a), find(b))
        guard a != b else { return false }
        if sizes[Int(a)] < sizes[Int(b)] { swap(&a, &b) }
        parents[Int(b)] = a
        sizes[Int(a)] += sizes[Int(b)]
        count -= 1
        return true
    }
}
