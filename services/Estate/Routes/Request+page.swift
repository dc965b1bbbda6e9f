import AppWire
import Hummingbird
import ServiceHost

extension Request {
    /// `limit` (1 to 50; 5 without) and `next` (what the page before has returned), as all lists with pages take them.
    ///
    /// - Throws: `Problem` (400).
    func pageQuery() throws -> (limit: Int, after: PageCursor?) {
        let limit = query("limit") == "" ? 5 : try intQuery("limit") ?? 5
        guard (1...50).contains(limit) else { throw Problem(.badParameter, message: "limit must be from 1 to 50.") }
        guard let next = query("next"), !next.isEmpty else { return (Int(limit), nil) }
        guard let cursor = PageCursor(next) else {
            throw Problem(.badParameter, message: "next must be what a page has returned as next_cursor.")
        }
        return (Int(limit), cursor)
    }
}
