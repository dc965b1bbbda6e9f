import Apps
import Hummingbird
import ServiceKit

extension Request {
    /// The maximum number of entries that a control's list is to have: `limit` in the query, or 1000.
    ///
    /// - Throws: `Problem` for one out of range.
    func limit() throws -> Int {
        let limit = try intQuery("limit") ?? 1000
        try Problem.check(limit, "limit", in: 1...200_000)
        return Int(limit)
    }
}
