import TestKit
import Testing
import Values

@testable import Clustering

@Suite struct ZoomClusteringTests {
    @Test(arguments: [(2, 25.0), (10, 35.2), (26, 42.7), (50, 50.0)])
    func pinSize_growsWithCount(count: Int, size: Double) {
        #expect(abs(PinSize.size(count: count, among: 2...50) - size) < 0.05)
    }

    @Test func pinSize_ofEqualCounts_isMinimum() {
        #expect(PinSize.size(count: 7, among: 7...7) == 25)
    }

    @Test func neighbourCount_followsSpacingAndCount() {
        #expect(ZoomThreshold.usualNeighbours(100) == 5)
        #expect(ZoomThreshold.mostNeighbours(100) == 6)
        #expect(ZoomThreshold(zoom: 13).neighbours(count: 1, spacing: 0) == 3)
        // Dense pins: 5 × 1.5, and no more than the logarithm.
        #expect(ZoomThreshold(zoom: 13).neighbours(count: 100, spacing: 1) == 6)
        #expect(ZoomThreshold(zoom: 13).neighbours(count: 100, spacing: 1000) == 3)
        #expect(ZoomThreshold(zoom: 13).neighbours(count: 300, spacing: 60) == 5)
    }

    @Test func onePin_isSingle() {
        let pin = ZoomClustering.Pin(latitude: 37.5, longitude: 127)
        #expect(ZoomClustering(zoom: 13).cluster([pin]) == .init(clusters: [], singles: [0]))
        #expect(ZoomClustering(zoom: 13).cluster([]) == .init(clusters: [], singles: []))
    }

    /// The threshold by hand: three cores of 10, 20 and 30 m at zoom 13 (60 m, weight 0.1). Mean 20, deviation
    /// √(200/3), quartiles 10 and 20 by index, the trimmed part the first two.
    @Test func threshold_matchesManualCalculation() {
        let variation = (200.0 / 3).squareRoot() / 20
        let trimmed = 5.0 / 15
        let level =
            60 * (1 + 0.3 * min(0.8, 0.5 * variation) + 0.4 * min(0.6, 0.3 * 0.5) + 0.3 * min(0.4, 0.4 * trimmed))
        let expected = level * 0.1 + 20 * 2.5 * 0.9
        #expect(abs(ZoomThreshold(zoom: 13).distance(cores: [10, 20, 30]) - expected) < 1e-9)
        // Fewer than three: the level as it is.
        #expect(abs(ZoomThreshold(zoom: 13).distance(cores: [10, 20]) - (6 + 10 * 2.5 * 0.9)) < 1e-9)
        // Within a fifth and three times the level.
        #expect(abs(ZoomThreshold(zoom: 13).distance(cores: [0, 0]) - 12) < 1e-9)
        #expect(abs(ZoomThreshold(zoom: 13).distance(cores: [1e6, 1e6]) - 180) < 1e-9)
    }

    @Test func nearPins_areClusteredByZoom() {
        // Four pins within 40 m, and one 2 km away.
        let pins =
            [0.0, 0.0001, 0.0002, 0.0003].map {
                ZoomClustering.Pin(latitude: 37.5 + $0, longitude: 127)
            } + [ZoomClustering.Pin(latitude: 37.52, longitude: 127)]
        #expect(ZoomClustering(zoom: 13).cluster(pins) == .init(clusters: [[0, 1, 2, 3]], singles: [4]))
        #expect(ZoomClustering(zoom: 6).cluster(pins) == .init(clusters: [[0, 1, 2, 3, 4]], singles: []))
    }

    /// A spanning forest cut at a weight has the components of the graph cut there.
    @Test(arguments: [6.0, 9, 11, 13, 13.5, 15, 20])
    func clusters_areIndependentOfPinOrder(zoom: Double) {
        let pins = Samples.spots(800).map {
            ZoomClustering.Pin(latitude: 37.4 + $0.y / 111_000, longitude: 126.9 + $0.x / 88_000)
        }
        let expected = ZoomClustering(zoom: zoom).cluster(pins)
        #expect(expected.clusters.joined().count + expected.singles.count == pins.count)
        var random = SplitMix(state: 4)
        let order = Array(pins.indices).shuffled(using: &random)
        let found = ZoomClustering(zoom: zoom).cluster(order.map { pins[$0] })
        #expect(Set(found.clusters.map { Set($0.map { order[$0] }) }) == Set(expected.clusters.map(Set.init)))
        #expect(Set(found.singles.map { order[$0] }) == Set(expected.singles))
    }
}
