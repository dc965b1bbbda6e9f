import Apps
import Contracts
import Hummingbird
import ServiceKit

/// The pages about what is in the apps now. Each of them but the map follows by server-sent events.
struct LiveRoutes {
    let domain: ConsoleDomain

    private var live: LiveReader { domain.live }

    /// `GET /console/live`: trains, rooms and the map of Seoul.
    func overview(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        await Visit.answer(request, domain.operators) { visit in
            visit.layout.response(
                visit.language("Live", "실시간"),
                "live",
                await overview(visit.language),
                follows: true
            )
        }
    }

    /// `GET /console/live/updates`.
    func overviewUpdates(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        await domain.updates.answer(request) { visit in await overview(visit.language) }
    }

    private func overview(_ language: Language) async -> HTML {
        async let trains = live.trains()
        async let rooms = live.rooms()
        async let map = live.map(.seoul)
        return LivePage(trains: await trains, rooms: await rooms, map: await map, language: language).html
    }

    /// `GET /console/live/train?train=NUMBER&car=CODE` → 303 to the page of the car, which forms cannot name.
    func findTrain(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        await Visit.answer(request, domain.operators) { visit in
            let (train, car) = (try visit.code(request.query("train")), try visit.code(request.query("car")))
            return .seeOther("live/train/\(train)/\(car)")
        }
    }

    /// `GET /console/live/train/NUMBER/CODE`: a car with its seats.
    func train(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        await Visit.answer(request, domain.operators) { visit in
            let (number, code) = (try visit.code(context, "train"), try visit.code(context, "car"))
            guard let content = await train(number, code, visit.language) else { throw visit.nothing }
            let title = visit.language("Train \(number), car \(code)", "열차 \(number), 차량 \(code)")
            return visit.layout.response(title, "live/train/\(number)/\(code)", content, follows: true)
        }
    }

    /// `GET /console/live/train/NUMBER/CODE/updates`.
    func trainUpdates(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let (number, code) = (context.parameters.get("train") ?? "", context.parameters.get("car") ?? "")
        return await domain.updates.answer(request) { visit in
            await train(try visit.code(number), try visit.code(code), visit.language)
        }
    }

    private func train(_ number: String, _ code: String, _ language: Language) async -> HTML? {
        switch await live.car(code, of: number) {
        case .found(let car): TrainPage(car: car, language: language).html
        case .missing: nil
        case .silent(let service): .silence(of: service, language)
        }
    }

    /// `GET /console/live/room?room=ID` → 303 to the page of the room.
    func findRoom(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        await Visit.answer(request, domain.operators) { visit in
            .seeOther("live/room/\(try visit.code(request.query("room")))")
        }
    }

    /// `GET /console/live/room/ID`: a room with its order and readers.
    func room(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        await Visit.answer(request, domain.operators) { visit in
            let id = try visit.code(context, "room")
            guard let content = await room(id, visit.language) else { throw visit.nothing }
            return visit.layout.response(
                visit.language("Room \(id)", "채팅방 \(id)"),
                "live/room/\(id)",
                content,
                follows: true
            )
        }
    }

    /// `GET /console/live/room/ID/updates`.
    func roomUpdates(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let id = context.parameters.get("room") ?? ""
        return await domain.updates.answer(request) { visit in
            await room(try visit.code(id), visit.language)
        }
    }

    private func room(_ id: String, _ language: Language) async -> HTML? {
        switch await live.room(id) {
        case .found(let room): RoomPage(room: room, language: language).html
        case .missing: nil
        case .silent(let service): .silence(of: service, language)
        }
    }

    /// `GET /console/live/map?bbox=west,south,east,north`: clusters of listings.
    func map(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        await Visit.answer(request, domain.operators) { visit in
            guard let area = request.query("bbox").map(MapArea.init) ?? .seoul else { throw visit.nothing }
            let content: HTML
            switch await live.map(area) {
            case .found(let map): content = MapPage(map: map, area: area, language: visit.language).html
            case .missing: throw visit.nothing
            case .silent(let service): content = .silence(of: service, visit.language)
            }
            return visit.layout.response(visit.language("Map", "지도"), "live/map", content)
        }
    }
}

extension Visit {
    fileprivate var nothing: Problem {
        Problem(.notFound, message: language("There is nothing of the kind now.", "해당하는 대상이 없습니다."))
    }

    /// A text that may be an id or a code.
    ///
    /// - Throws: `Problem` (404) for any other.
    fileprivate func code(_ text: String?) throws -> String {
        guard let text, LiveReader.isCode(text) else { throw nothing }
        return text
    }

    fileprivate func code(_ context: AppRequestContext, _ name: String) throws -> String {
        try code(context.parameters.get(name))
    }
}
