import Apps
import HTTPTypes
import Hummingbird
import ServiceKit
import Values

/// The days and pages of calendars and attendance lists (MOUP contract 1.5, Calendars).
extension Request {
    /// `from` and `to`, of which a page is shown; or, for the app, which sends neither and knows no pages, all of the 13
    /// months around `baseYearMonth` unless it has a `size`.
    ///
    /// - Throws: `Problem` (`ARGUMENT_400`).
    func calendarWindow() throws -> ShiftWindow {
        let (from, to) = (try day("from"), try day("to"))
        guard from != nil || to != nil else { return try window(Calendars.days(around: try baseYearMonth())) }
        guard let from, let to, from <= to, to.dayNumber - from.dayNumber < ShiftWindow.longest else {
            throw Problem(
                .badParameter,
                message: "from and to must both be set, in order, and span at most \(ShiftWindow.longest) days."
            )
        }
        return try window(from...to, size: ShiftWindow.page)
    }

    /// The days since `from` and up to `to`, each without limit if it is missing; with `size` a page.
    ///
    /// - Throws: `Problem` (`ARGUMENT_400`).
    func attendanceWindow() throws -> ShiftWindow {
        let first = CivilMonth(year: 2000, month: 1).first
        let last = CivilMonth(year: 2099, month: 12).last
        let (from, to) = (try day("from") ?? first, try day("to") ?? last)
        guard from <= to else { throw Problem(.badParameter, message: "from must not be after to.") }
        return try window(from...to)
    }

    /// - Parameter size: The shifts of a page unless the request has a `size`; nil for all.
    private func window(_ days: ClosedRange<CivilDate>, size: Int? = nil) throws -> ShiftWindow {
        guard let size = try intQuery("size") ?? size.map(Int64.init) else { return ShiftWindow(days) }
        guard (1...1000).contains(size) else {
            throw Problem(.badParameter, message: "size must be from 1 to 1000.")
        }
        guard let text = query("cursor"), !text.isEmpty else { return ShiftWindow(days, size: Int(size)) }
        guard let cursor = PageCursor(text), cursor.rank == nil, cursor != .end else {
            throw Problem(.badParameter, message: "cursor must be what a page has returned as X-Next-Cursor.")
        }
        return ShiftWindow(days, size: Int(size), after: cursor)
    }

    private func day(_ name: String) throws -> CivilDate? {
        guard let text = query(name) else { return nil }
        guard let date = CivilDate(text), CivilMonth(text: String(text.prefix(7))) != nil else {
            throw Problem(.badParameter, message: "\(name) must be a day: yyyy-MM-dd.")
        }
        return date
    }
}

extension Response {
    /// The response with `X-Next-Cursor`, the `cursor` of the next page, if pages were requested; -1 on the last.
    func paged(_ page: Page<some Sendable>, _ window: ShiftWindow) -> Response {
        guard window.size != nil, let name = HTTPField.Name("X-Next-Cursor") else { return self }
        var response = self
        response.headers[name] = page.next == .end ? "-1" : page.next.text
        return response
    }
}
