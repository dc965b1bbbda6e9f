import Apps
import Hummingbird
import ServiceKit
import Values

/// Search for places, so that the app needs no Kakao key (Anlaka contract 4.5).
struct PlaceRoutes {
    let places: Places

    /// `GET /v1/places/search?query&page?` → 200 `{data: [{title, subtitle, kind, longitude, latitude, region}],
    /// is_end}`, at most 30, addresses first.
    func search(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let page = try request.query("page").map { text in
            guard let page = Int(text) else { throw Problem(.badParameter, message: "page must be a number.") }
            return page
        }
        let query = request.query("query") ?? ""
        return try .json(SearchAnswer(await places.search(query, page: page ?? 1, by: context.account)))
    }

    private struct SearchAnswer: Encodable {
        var data: [FoundPlace]
        var isEnd: Bool

        enum CodingKeys: String, CodingKey {
            case data
            case isEnd = "is_end"
        }

        init(_ page: PlacePage) {
            data = page.places
            isEnd = page.isEnd
        }
    }

    /// `GET /v1/places/reverse?longitude&latitude` → 200 `{title, subtitle?, region, longitude, latitude}`; 404 when
    /// the position has no name.
    func name(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let place = try request.placeQuery()
        guard let name = try await places.name(of: place, by: context.account) else {
            throw Problem(.notFound, message: "Nothing has an address there.")
        }
        return try .json(NameAnswer(name, at: place))
    }

    private struct NameAnswer: Encodable {
        var title: String
        var subtitle: String?
        var region: String
        var longitude: Double
        var latitude: Double

        init(_ name: PlaceName, at place: Coordinate) {
            (title, subtitle, region) = (name.title, name.subtitle, name.region)
            (longitude, latitude) = (place.longitude, place.latitude)
        }
    }
}
