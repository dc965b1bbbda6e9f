import Apps
import Contracts
import Hummingbird
import ServiceKit
import Values

/// The console's reads of the map.
struct OperatorRoutes {
    let clusters: MapClusters

    /// `GET /internal/operators/map?bbox=west,south,east,north&zoom=ZOOM` → 200 with the clusters that the app shows; 400
    /// for a box that is none or too large for the zoom.
    func map(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let zoom = try ClusterRoutes.zoom(request)
        let box = try ClusterRoutes.box(request.query("bbox") ?? "")
        return try .json(OperatorsAPI.Map(await clusters.view(box, zoom: zoom, ListingFilter())))
    }
}
