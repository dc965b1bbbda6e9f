import Clustering

/// Clusters the listings of one tile. The result depends neither on other tiles nor on the order of the listings.
struct TileGrouping: Sendable {
    var method: MapView.Method
    var zoom: Double

    /// Minimum size of a cluster by density.
    private static let leastDensityCluster = 5

    /// - Parameter dots: In any order.
    func view(of dots: TilePoints) -> MapView {
        let pins = (0..<dots.count).map {
            ZoomClustering.Pin(latitude: dots.latitudes[$0], longitude: dots.longitudes[$0])
        }
        let (clusters, singles) = groups(pins)
        var view = MapView()
        for dot in singles {
            // A point of several listings is a cluster of its own.
            if dots.weights[dot] > 1 {
                view.clusters.append(dots.cluster([dot]))
            } else {
                view.singles.append(.init(publicID: dots.publicIDs[dot], place: dots.place(dot)))
            }
        }
        view.clusters += clusters.map { dots.cluster($0) }
        return view
    }

    private func groups(_ pins: [ZoomClustering.Pin]) -> (clusters: [[Int]], singles: [Int]) {
        switch method {
        case .zoom:
            let result = ZoomClustering(zoom: zoom).cluster(pins)
            return (result.clusters, result.singles)
        case .density:
            let clustering = HDBSCAN(minClusterSize: Self.leastDensityCluster, minSamples: Self.leastDensityCluster)
            let result = clustering.cluster(ZoomClustering.points(pins))
            var clusters = Array(repeating: [Int](), count: result.clusterCount)
            var singles: [Int] = []
            for (pin, label) in result.labels.enumerated() {
                if label < 0 { singles.append(pin) } else { clusters[label].append(pin) }
            }
            return (clusters, singles)
        }
    }
}
