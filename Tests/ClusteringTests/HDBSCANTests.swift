import TestKit
import Testing
import Values

@testable import Clustering

@Suite struct HDBSCANTests {
    @Test(arguments: 0..<6, [2, 5, 12])
    func clustering_isIndependentOfPointOrder(sample: Int, size: Int) {
        let points = Samples.all[sample].points
        let hdbscan = HDBSCAN(minClusterSize: size, minSamples: min(size, 7))
        let expected = hdbscan.cluster(points)
        var random = SplitMix(state: 11)
        for _ in 0..<2 {
            let order = Array(points.indices).shuffled(using: &random)
            let found = hdbscan.cluster(order.map { points[$0] })
            #expect(found.labels == order.map { expected.labels[$0] }, "\(Samples.all[sample].name)")
            #expect(found.probabilities == order.map { expected.probabilities[$0] })
            #expect(found.clusterCount == expected.clusterCount)
            #expect(found.treeWeight == expected.treeWeight)
        }
    }

    @Test func clustering_findsSpotsAndNoise() {
        var points: [Point] = []
        for centre in [0.0, 1000, 2000] {
            for number in 0..<20 {
                points.append(Point(x: centre + Double(number % 5) * 3.1, y: Double(number / 5) * 2.7))
            }
        }
        points += [Point(x: 500, y: 5000), Point(x: 1500, y: -7000)]
        let result = HDBSCAN().cluster(points)
        #expect(result.clusterCount == 3)
        #expect(result.labels == (0..<60).map { $0 / 20 } + [-1, -1])
        #expect(result.probabilities.suffix(2) == [0, 0])
        #expect(result.probabilities.prefix(60).allSatisfy { $0 > 0 && $0 <= 1 })
    }

    /// A dense spot beside a thin one: no single distance separates both from the rest.
    @Test func clustering_findsSpotsOfDifferentDensity() {
        var random = SplitMix(state: 5)
        func spot(_ x: Double, _ radius: Double, _ count: Int) -> [Point] {
            (0..<count).map { _ in
                Point(
                    x: x + .random(in: -radius...radius, using: &random),
                    y: .random(in: -radius...radius, using: &random)
                )
            }
        }
        let points = spot(0, 10, 150) + spot(60, 10, 150) + spot(2000, 400, 150)
        let labels = HDBSCAN(minClusterSize: 30).cluster(points).labels
        let groups = [labels[0..<150], labels[150..<300], labels[300..<450]].map { group in
            Dictionary(grouping: group, by: { $0 }).max { $0.value.count < $1.value.count }?.key ?? -2
        }
        #expect(Set(groups) == [0, 1, 2])
    }

    @Test(arguments: 0...10)
    func fewPoints_areNoise(count: Int) {
        let points = (0..<count).map { Point(x: Double($0), y: 0) }
        let result = HDBSCAN().cluster(points)
        #expect(result.labels == Array(repeating: -1, count: count))
        #expect(result.clusterCount == 0)
    }

    /// Points of uniform density form no clusters.
    @Test func uniformPoints_haveNoCluster() {
        #expect(HDBSCAN().cluster(Samples.grid(20)).clusterCount == 0)
        #expect(HDBSCAN().cluster(Array(repeating: Point(x: 3, y: 4), count: 100)).clusterCount == 0)
    }

    @Test func duplicates_haveFiniteProbabilities() {
        let result = HDBSCAN(minClusterSize: 10).cluster(Samples.duplicates(400))
        #expect(result.clusterCount == 15)
        #expect(result.probabilities.allSatisfy { $0 == 1 })
        #expect(result.treeWeight.isFinite)
    }

    @Test func edges_areSortedByWeight() {
        var random = SplitMix(state: 2)
        let edges = (0..<5000).map { number in
            SpanningTree.Edge(
                squaredWeight: number % 50 == 0 ? 0 : .random(in: 0...1e12, using: &random),
                a: Int32(number),
                b: 0
            )
        }
        let sorted = edges.sortedByWeight()
        #expect(sorted.map(\.squaredWeight) == edges.map(\.squaredWeight).sorted())
        #expect(Set(sorted.map(\.a)).count == edges.count)
    }
}
