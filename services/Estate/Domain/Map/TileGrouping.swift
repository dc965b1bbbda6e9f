import Clustering

/// How the listings of one tile become pins. It depends on nothing outside of the tile, so that the pins of a tile are the
/// same wherever the map is moved; and on no order, so that they are the same each time.
struct TileGrouping: Sendable {
    var method: MapView.Method
    var zoom: Double

    /// Fewer listings are no cluster when grouped by density.
    private static let leastDensityCluster = 5

    /// - Parameter dots: in any order.
    func view(of dots: TileDots) -> MapView {
        let pins = (0..<dots.count).map {
            ZoomClustering.Pin(latitude: dots.latitudes[$0], longitude: dots.longitudes[$0])
        }
        let (clusters, singles) = groups(pins)
        var view = MapView()
        for dot in singles {
            // What stands for several listings at one spot is a cluster by itself.
            if dots.weights[dot] > 1 {
                view.clusters.append(dots.cluster([dot]))
            } else {
                view.singles.append(.init(publicID: dots.publicID(dot), place: dots.place(dot)))
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
