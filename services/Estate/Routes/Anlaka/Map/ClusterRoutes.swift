import Apps
import Glibc
import HTTPTypes
import Hummingbird
import ServiceKit
import Values

/// Clusters of the map (Anlaka contract 4.3; 7, server filters and cluster endpoint).
struct ClusterRoutes {
    let clusters: MapClusters

    /// Points from the centre of a screen to its edges, if the request has no `maxDistance`.
    private static let screen = 512.0

    /// `GET /v1/estates/clusters?zoom&bbox=west,south,east,north&…` → 200 `{clusters, estates}`.
    func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let zoom = try Self.zoom(request)
        let method = MapView.Method(rawValue: request.query("method") ?? MapView.Method.zoom.rawValue)
        guard let method else { throw Problem(.badParameter, message: "method must be zoom or density.") }
        let box = try request.query("bbox").map(Self.box) ?? Self.box(request, zoom: zoom)
        let view = try await clusters.view(box, zoom: zoom, request.listingFilter(), method: method)
        return .map(view)
    }

    static func zoom(_ request: Request) throws -> Double {
        let zoom = try request.requiredNumber("zoom")
        guard MapClusters.zooms.contains(zoom) else {
            throw Problem(.badParameter, message: "zoom must be from 0 to 22.")
        }
        return zoom
    }

    /// `west,south,east,north`
    static func box(_ text: String) throws -> MapBox {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        let numbers = parts.compactMap(\.self)
        guard parts.count == 4, numbers.count == 4 else {
            throw Problem(.badParameter, message: "bbox must be west,south,east,north in degrees.")
        }
        guard let box = MapBox(south: numbers[1], west: numbers[0], north: numbers[3], east: numbers[2]) else {
            throw Problem(
                .badParameter,
                message: "bbox must be on the globe, west not beyond east, and south not beyond north."
            )
        }
        return box
    }

    /// The box around `longitude` and `latitude`, with a reach of `maxDistance` metres or of a screen (Anlaka contract
    /// 4.2).
    private static func box(_ request: Request, zoom: Double) throws -> MapBox {
        let centre = try request.placeQuery()
        let metresPerPoint = 156_543.03 * cos(centre.latitude * .pi / 180) / exp2(zoom)
        let reach = try request.numberQuery("maxDistance") ?? (screen * metresPerPoint)
        guard reach >= 0 else { throw Problem(.badParameter, message: "maxDistance must be 0 metres or more.") }
        return MapBox(around: centre, reach: reach)
    }
}
