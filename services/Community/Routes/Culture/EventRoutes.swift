import Apps
import Contracts
import HTTPTypes
import Hummingbird
import ServiceKit
import Values

/// The city's events for new clients: search by day, district, category, fee, title and distance, and likes.
struct EventRoutes {
    let events: CulturalEvents

    private static let usualLimit = 20
    /// Half the Earth's circumference, in metres.
    private static let greatestDistance = 20_037_508.0

    struct FavoriteResponse: Encodable {
        var eventID: PublicID
        var isFavorite: Bool

        enum CodingKeys: String, CodingKey {
            case eventID = "event_id"
            case isFavorite
        }
    }

    /// `GET /v1/events?date&from&to&district&category&fee&title&latitude&longitude&maxDistance&limit&next` → 200,
    /// latest start first.
    func list(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (limit, cursor) = try request.pageQuery(usual: Self.usualLimit)
        let filter = try Self.filter(request)
        let page = try await events.search(filter, for: context.account, after: cursor, limit: limit)
        return try .json(EventListBody(page))
    }

    /// `GET /v1/events/{event_id}` → 200; 410 for an unknown event.
    func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.eventID()
        return try .json(EventBody(await events.event(id, for: context.account)))
    }

    /// `PUT /v1/events/{event_id}/favorite` → 200; idempotent. 410 for an unknown event.
    func like(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.eventID()
        try await events.like(id, by: context.account)
        return try .json(FavoriteResponse(eventID: id, isFavorite: true))
    }

    /// `DELETE /v1/events/{event_id}/favorite` → 200; idempotent, also for a past event.
    func unlike(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.eventID()
        try await events.unlike(id, by: context.account)
        return try .json(FavoriteResponse(eventID: id, isFavorite: false))
    }

    /// `GET /v1/events/favorites?limit&next` → 200, latest like first, including past events.
    func favourites(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (limit, cursor) = try request.pageQuery(usual: Self.usualLimit)
        let page = try await events.favourites(of: context.account, after: cursor, limit: limit)
        return try .json(EventListBody(page))
    }

    private static func filter(_ request: Request) throws -> EventFilter {
        func text(_ name: String) -> String? { request.query(name).flatMap { $0.isEmpty ? nil : $0 } }
        func day(_ name: String) throws -> CivilDate? {
            guard let text = text(name) else { return nil }
            guard let day = CivilDate(text) else {
                throw Problem(.badParameter, message: "\(name) must be a day, yyyy-MM-dd.")
            }
            return day
        }
        var filter = EventFilter(district: text("district"), category: text("category"), title: text("title"))
        let (date, from, to) = (try day("date"), try day("from"), try day("to"))
        guard date == nil || (from == nil && to == nil) else {
            throw Problem(.badParameter, message: "date does not go with from or to.")
        }
        (filter.from, filter.to) = (date ?? from, date ?? to)
        if let from, let to, from > to { throw Problem(.badParameter, message: "from must not be after to.") }
        switch text("fee") {
        case nil: break
        case "free": filter.isFree = true
        case "paid": filter.isFree = false
        default: throw Problem(.badParameter, message: "fee must be free or paid.")
        }
        let names = ["latitude", "longitude", "maxDistance"]
        if names.contains(where: { text($0) != nil }) { filter.near = try request.placeQuery() }
        filter.maxDistance = try request.numberQuery("maxDistance")
        if let distance = filter.maxDistance, !(0...greatestDistance).contains(distance) {
            throw Problem(.badParameter, message: "maxDistance must be from 0 to \(Int(greatestDistance)) metres.")
        }
        return filter
    }
}
