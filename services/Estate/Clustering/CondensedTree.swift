/// The dendrogram without branches that are too small to be clusters: read from the root, a cluster loses points one by
/// one or in small groups until it splits into two or more that are large enough (McInnes, Healy, "Accelerated
/// hierarchical density based clustering", 2017, section 3).
///
/// Joins of equal weight are merged, because their order depends only on the order of the input. Sums are taken in the
/// order of the weights for the same reason.
struct CondensedTree {
    /// The parent of each cluster, the root first and parents before their children.
    private(set) var parents: [Int32] = []
    /// λ, the inverse of the distance, at which a cluster begins.
    private var births: [Double] = []
    /// λ at which a cluster has lost its last point, or splits.
    private(set) var deaths: [Double] = []
    /// The sum over the points of their time in the cluster, in λ: the excess of mass.
    private(set) var stabilities: [Double] = []
    /// The last cluster of each point, and λ at which the point leaves it.
    private(set) var clusterOfPoint: [Int32]
    private(set) var lambdaOfPoint: [Double]

    private let tree: Dendrogram
    private let least: Int
    /// The minimum weight, which keeps λ finite where points coincide.
    private let leastWeight: Double

    init(_ tree: Dendrogram, minClusterSize: Int) {
        self.tree = tree
        least = minClusterSize
        clusterOfPoint = Array(repeating: 0, count: tree.pointCount)
        lambdaOfPoint = Array(repeating: 0, count: tree.pointCount)
        let greatest = tree.squaredWeights.last ?? 0
        leastWeight = greatest > 0 ? greatest * 1e-24 : 1
        guard tree.pointCount > 0 else { return }
        add(parent: -1, birth: 0)
        condense()
    }

    private func lambda(_ squaredWeight: Double) -> Double {
        1 / max(squaredWeight, leastWeight).squareRoot()
    }

    private mutating func add(parent: Int32, birth: Double) {
        parents.append(parent)
        births.append(birth)
        deaths.append(0)
        stabilities.append(0)
    }

    private mutating func condense() {
        let first = tree.pointCount
        guard !tree.sizes.isEmpty else { return }
        var work: [(node: Int32, cluster: Int32)] = [(Int32(first + tree.sizes.count - 1), 0)]
        var branches: [Int32] = []
        while let (node, cluster) = work.popLast() {
            let weight = tree.squaredWeights[Int(node) - first]
            let lambda = lambda(weight)
            collect(Int(node), weight, &branches)
            let large = branches.filter { Int(tree.size(of: Int($0))) >= least }
            let isSplit = large.count > 1
            var leaving = 0
            for branch in branches {
                let size = Int(tree.size(of: Int(branch)))
                if size < least {
                    release(Int(branch), from: cluster, lambda)
                    leaving += size
                } else if isSplit {
                    leaving += size
                    add(parent: cluster, birth: lambda)
                    work.append((branch, Int32(parents.count - 1)))
                } else {
                    work.append((branch, cluster))
                }
            }
            guard leaving > 0 else { continue }
            stabilities[Int(cluster)] += Double(leaving) * (lambda - births[Int(cluster)])
            deaths[Int(cluster)] = max(deaths[Int(cluster)], lambda)
        }
    }

    /// Collects the branches below a join; joins of the same weight are merged.
    private func collect(_ node: Int, _ weight: Double, _ branches: inout [Int32]) {
        branches.removeAll(keepingCapacity: true)
        var pending = [Int32(node)]
        while let next = pending.popLast() {
            let join = Int(next) - tree.pointCount
            guard join >= 0, tree.squaredWeights[join] == weight else {
                branches.append(next)
                continue
            }
            pending.append(tree.left[join])
            pending.append(tree.right[join])
        }
    }

    /// Removes all points below a node from a cluster.
    private mutating func release(_ node: Int, from cluster: Int32, _ lambda: Double) {
        var pending = [Int32(node)]
        while let next = pending.popLast() {
            let join = Int(next) - tree.pointCount
            if join < 0 {
                clusterOfPoint[Int(next)] = cluster
                lambdaOfPoint[Int(next)] = lambda
            } else {
                pending.append(tree.left[join])
                pending.append(tree.right[join])
            }
        }
    }
}

extension CondensedTree {
    /// Selects the disjoint clusters with the greatest excess of mass; the root, which contains all points, is not
    /// eligible (Campello and others, section 4).
    ///
    /// - Returns: By cluster, the selected cluster that contains or equals it; -1 for none.
    func chosen() -> [Int32] {
        var own = stabilities
        var isChosen = Array(repeating: false, count: parents.count)
        var children = Array(repeating: [Double](), count: parents.count)
        for cluster in parents.indices.reversed() where cluster > 0 {
            // Summed by size, so that the result does not depend on the order of the input.
            let below = children[cluster].sorted().reduce(0, +)
            isChosen[cluster] = below <= own[cluster]
            if !isChosen[cluster] { own[cluster] = below }
            children[Int(parents[cluster])].append(own[cluster])
            children[cluster] = []
        }
        var result = Array(repeating: Int32(-1), count: parents.count)
        for cluster in parents.indices where cluster > 0 {
            let above = result[Int(parents[cluster])]
            result[cluster] = above >= 0 ? above : isChosen[cluster] ? Int32(cluster) : -1
        }
        return result
    }
}
