import Contracts
import Values

extension OperatorsAPI.Map {
    /// What operators see of a view.
    init(_ view: MapView) {
        let clusters = view.clusters.sorted { ($1.count, $0.id) < ($0.count, $1.id) }
        self.init(
            clusters: clusters.prefix(Self.limit).map(OperatorsAPI.Cluster.init),
            singles: view.singles.prefix(Self.limit).map { single in
                OperatorsAPI.SingleListing(
                    id: single.publicID,
                    latitude: single.place.latitude,
                    longitude: single.place.longitude
                )
            },
            listings: view.clusters.reduce(view.singles.count) { $0 + $1.count }
        )
    }
}

extension OperatorsAPI.Cluster {
    fileprivate init(_ cluster: MapView.Cluster) {
        self.init(
            id: cluster.id,
            count: cluster.count,
            latitude: cluster.centre.latitude,
            longitude: cluster.centre.longitude,
            south: cluster.bounds.south,
            west: cluster.bounds.west,
            north: cluster.bounds.north,
            east: cluster.bounds.east
        )
    }
}
