import Apps
import Hummingbird
import ServiceKit
import Subway

/// Paths and journeys (SeatCatcher contract 1.6, calls 19 to 24).
struct PathRoutes {
    let journeys: Journeys
    let catalogue: StationCatalogue

    struct PathRequest: Decodable {
        var startStationId: StationID
        var endStationId: StationID
    }

    struct JourneyRequest: Decodable {
        var startStationId: StationID
        var endStationId: StationID
        var trainCode: String
    }

    struct PathResponse: Encodable {
        var id: JourneyID
        var startStationId: StationID
        var startStationName: String
        var startline: String
        var endStationId: StationID
        var endStationName: String
        var endline: String
        /// `HH:mm` and `MM.dd` in Seoul's time; the client displays them unmodified.
        var expectedArrivalTime: String
        var createdDate: String
    }

    struct PageResponse: Encodable {
        var pathHistoryInfoList: [PathResponse]
        /// The id of the last item; -1 on the last page.
        var nextCursor: Int64
        var last: Bool
    }

    struct JourneyResponse: Encodable {
        var pathHistoryId: JourneyID
        /// `yyyy-MM-dd HH:mm`, UTC.
        var expectedArrivalTime: String
        var nextScheduleTime: String
        var arrived: Bool
    }

    /// `POST /path-histories` → 200 with a text; 400 for stations of different lines, 404 for unknown ones.
    func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await request.json(PathRequest.self, context)
        _ = try await journeys.keep(from: body.startStationId, to: body.endStationId, account: context.account)
        return .text("Path history created")
    }

    /// `GET /path-histories?size=&cursor=` → 200, newest first.
    func list(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let size = try request.intQuery("size") ?? 10
        guard (1...100).contains(size) else { throw Problem(.badParameter, message: "size must be from 1 to 100.") }
        let cursor = try request.intQuery("cursor").flatMap { $0 > 0 ? JourneyID(rawValue: $0) : nil }
        let page = try await journeys.page(of: context.account, before: cursor, limit: Int(size))
        return try .json(
            PageResponse(
                pathHistoryInfoList: page.items.map(response),
                nextCursor: page.isLast ? -1 : page.items.last?.id.rawValue ?? -1,
                last: page.isLast
            )
        )
    }

    /// `GET /path-histories/{pathId}` → 200; 404; 403 for another user's.
    func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try .json(response(try await journeys.path(try id(context), account: context.account)))
    }

    /// `PATCH /path-histories/{pathId}` → 200 with an empty body: a path has nothing to change, but the client's
    /// documentation requires the call.
    func touch(_ request: Request, _ context: SignedInContext) async throws -> Response {
        _ = try await journeys.path(try id(context), account: context.account)
        return .empty(.ok)
    }

    /// `DELETE /path-histories/{pathId}` → 200 with a text.
    func delete(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await journeys.delete(try id(context), account: context.account)
        return .text("Path history deleted")
    }

    /// `POST /path-histories/start-journey` → 201; 400 with an empty body if both stations are the same.
    func start(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await request.json(JourneyRequest.self, context)
        do {
            let journey = try await journeys.start(
                from: body.startStationId,
                to: body.endStationId,
                train: body.trainCode,
                account: context.account
            )
            let response = JourneyResponse(
                pathHistoryId: journey.id,
                expectedArrivalTime: WallTime(journey.expectedArrival.microseconds).minute,
                nextScheduleTime: WallTime(journey.nextCheck.microseconds).minute,
                arrived: false
            )
            return try .json(response, status: .created)
        } catch SeatsError.sameStation {
            return .empty(.badRequest)
        }
    }

    private func id(_ context: SignedInContext) throws -> JourneyID {
        guard let id: JourneyID = context.id("pathId") else {
            throw Problem(.badParameter, message: "pathId must be a whole number above 0.")
        }
        return id
    }

    private func response(_ journey: Journey) -> PathResponse {
        let start = catalogue.station(id: journey.start)
        let end = catalogue.station(id: journey.end)
        return PathResponse(
            id: journey.id,
            startStationId: journey.start,
            startStationName: start?.name ?? "",
            startline: start?.line.rawValue ?? "",
            endStationId: journey.end,
            endStationName: end?.name ?? "",
            endline: end?.line.rawValue ?? "",
            expectedArrivalTime: WallTime(journey.expectedArrival.microseconds, in: .seoul).time,
            createdDate: WallTime(journey.createdAt.microseconds, in: .seoul).dayOfYear
        )
    }
}
