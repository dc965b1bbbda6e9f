import Apps

/// Routes by path: a tree of segments with one hash lookup per segment, regardless of the number of routes.
///
/// A literal segment takes precedence over a parameter; if the literal leads to no route, the parameter is tried.
struct PathTree: Sendable {
    private struct Node: Sendable {
        var parameter: Int?
        /// The routes that end here, by method.
        var routes: [Int?] = Array(repeating: nil, count: Method.allCases.count)
        /// The apps whose routes pass through this node.
        var apps: AppSet = []
    }

    private struct Edge: Sendable {
        var from: Int
        var hash: UInt32
        var label: [UInt8]
        var to: Int
    }

    private var nodes = [Node()]
    private var edges: [Edge] = []
    /// Indices into `edges`, by hash. The size is a power of two, and at least half of the slots are empty.
    private var slots: [Int32] = []

    /// - Parameter routes: The routes with the numbers that lookups return.
    init(_ routes: [(number: Int, route: Route)]) {
        for (index, route) in routes { insert(route, index) }
        index()
    }

    private mutating func insert(_ route: Route, _ number: Int) {
        var node = 0
        nodes[node].apps.insert(route.app)
        for label in route.operation.path.split(separator: "/") {
            node = label.hasPrefix("{") ? parameterChild(of: node) : literalChild(of: node, Array(label.utf8))
            nodes[node].apps.insert(route.app)
        }
        nodes[node].routes[Int(Method(route.operation.method).rawValue)] = number
    }

    private mutating func parameterChild(of node: Int) -> Int {
        if let child = nodes[node].parameter { return child }
        nodes.append(Node())
        nodes[node].parameter = nodes.count - 1
        return nodes.count - 1
    }

    private mutating func literalChild(of node: Int, _ label: [UInt8]) -> Int {
        if let edge = edges.first(where: { $0.from == node && $0.label == label }) { return edge.to }
        nodes.append(Node())
        let hash = label.reduce(RequestTarget.Segment.emptyHash) { RequestTarget.Segment.hash($0, adding: $1) }
        edges.append(Edge(from: node, hash: hash, label: label, to: nodes.count - 1))
        return nodes.count - 1
    }

    private mutating func index() {
        var size = 16
        while size < edges.count * 2 { size *= 2 }
        slots = Array(repeating: -1, count: size)
        for (number, edge) in edges.enumerated() {
            var slot = self.slot(edge.from, edge.hash)
            while slots[slot] >= 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = Int32(number)
        }
    }

    private func slot(_ node: Int, _ hash: UInt32) -> Int {
        Int((hash ^ (UInt32(truncatingIfNeeded: node) &* 0x9E37_79B9))) & (slots.count - 1)
    }

    private func literalChild(of node: Int, _ segment: RequestTarget.Segment, of bytes: [UInt8]) -> Int? {
        var slot = slot(node, segment.hash)
        while slots[slot] >= 0 {
            let edge = edges[Int(slots[slot])]
            if edge.from == node, edge.hash == segment.hash, edge.label.elementsEqual(bytes[segment.range]) {
                return edge.to
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }
}

// MARK: - Lookup

extension PathTree {
    /// The result of a lookup.
    struct Finding: Sendable {
        var route: Int?
        /// The methods that the path accepts, if there is no route for the requested method.
        var otherMethods: [Method] = []
        /// The apps with routes through the last matching segment.
        var apps: AppSet = []
        fileprivate var depth = -1
    }

    func find(_ method: Method, _ target: RequestTarget) -> Finding {
        var finding = Finding()
        let walk = Walk(method: method == .head ? .get : method, segments: target.segments, bytes: target.bytes)
        follow(walk, node: 0, depth: 0, isNamed: false, &finding)
        return finding
    }

    /// Whether any route begins with this segment.
    func begins(with segment: RequestTarget.Segment, of bytes: [UInt8]) -> Bool {
        literalChild(of: 0, segment, of: bytes) != nil
    }

    private struct Walk {
        var method: Method
        var segments: [RequestTarget.Segment]
        var bytes: [UInt8]
    }

    /// - Parameter isNamed: Whether a literal segment has matched; before that, the path does not identify an app.
    private func follow(_ walk: Walk, node: Int, depth: Int, isNamed: Bool, _ finding: inout Finding) {
        if isNamed, depth > finding.depth {
            finding.depth = depth
            finding.apps = nodes[node].apps
        }
        guard depth < walk.segments.count else { return select(nodes[node].routes, walk.method, &finding) }
        let segment = walk.segments[depth]
        guard !segment.range.isEmpty else { return }
        if let child = literalChild(of: node, segment, of: walk.bytes) {
            follow(walk, node: child, depth: depth + 1, isNamed: true, &finding)
        }
        if finding.route == nil, let child = nodes[node].parameter {
            follow(walk, node: child, depth: depth + 1, isNamed: isNamed, &finding)
        }
    }

    private func select(_ routes: [Int?], _ method: Method, _ finding: inout Finding) {
        finding.route = routes[Int(method.rawValue)]
        guard finding.route == nil else { return }
        for other in Method.allCases where routes[Int(other.rawValue)] != nil && !finding.otherMethods.contains(other) {
            finding.otherMethods.append(other)
        }
    }
}
