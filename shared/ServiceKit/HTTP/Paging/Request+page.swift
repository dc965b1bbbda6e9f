import Apps
package import Hummingbird

extension Request {
    /// `limit` (1 to 50) and `next` (the cursor of the previous page), the parameters of all paged lists.
    ///
    /// - Parameters:
    ///   - usual: The default limit.
    ///   - isRanked: Whether the list is sorted by a rank first.
    /// - Throws: `Problem` (400), also for the cursor of a list with another sort order.
    package func pageQuery(usual: Int, isRanked: Bool = false) throws -> (limit: Int, after: PageCursor?) {
        let limit = query("limit") == "" ? Int64(usual) : try intQuery("limit") ?? Int64(usual)
        guard (1...50).contains(limit) else { throw Problem(.badParameter, message: "limit must be from 1 to 50.") }
        guard let next = query("next"), !next.isEmpty else { return (Int(limit), nil) }
        guard let cursor = PageCursor(next), cursor == .end || (cursor.rank != nil) == isRanked else {
            throw Problem(.badParameter, message: "next must be what a page has returned as next_cursor.")
        }
        return (Int(limit), cursor)
    }
}
