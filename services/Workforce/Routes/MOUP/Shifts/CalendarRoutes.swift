import Contracts
import Hummingbird
import NIOCore
import ServiceKit

/// Calendars and shift details (MOUP contract 1.4, calls 31 to 34).
struct CalendarRoutes {
    let calendars: Calendars

    /// `GET /workplaces/{workplaceId}/workers/me/works?baseYearMonth=&from=&to=&size=&cursor=` → 200 `{workSummaryInfoList}`.
    func ownAtWorkplace(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let workplace = try context.pathID("workplaceId", as: WorkplaceID.self)
        let window = try request.calendarWindow()
        return try .works(try await calendars.own(at: workplace, window, by: context.account), window, for: context)
    }

    /// `GET /works?baseYearMonth=&from=&to=&size=&cursor=` → 200 `{workSummaryInfoList}`.
    func own(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let window = try request.calendarWindow()
        return try .works(try await calendars.own(window, by: context.account), window, for: context)
    }

    /// `GET /workplaces/{workplaceId}/works?baseYearMonth=&from=&to=&size=&cursor=` → 200 `{workSummaryInfoList}`.
    func shared(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let workplace = try context.pathID("workplaceId", as: WorkplaceID.self)
        let window = try request.calendarWindow()
        return try .works(try await calendars.shared(at: workplace, window, by: context.account), window, for: context)
    }

    /// `GET /works/{workId}?view=` → 200, the detail or the summary.
    func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.pathID("workId", as: ShiftID.self)
        guard try request.wantsSummary() else {
            return try .json(
                WorkDetail(try await calendars.detail(id, seenBy: context.account), shownTo: context.account)
            )
        }
        var text = WorkText(shownTo: context.account)
        try text.append(await calendars.entry(id, seenBy: context.account))
        return .written(text.bytes)
    }
}

extension Response {
    fileprivate static func works(
        _ page: Page<CalendarEntry>,
        _ window: ShiftWindow,
        for context: SignedInContext
    ) throws -> Response {
        .written(try WorkText.list(page.items, shownTo: context.account)).paged(page, window)
    }

    fileprivate static func written(_ bytes: [UInt8]) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }
}
