import Apps
import Hummingbird
import ServiceKit

extension Request {
    /// `size`: page size from 1 to 100; nil when absent.
    ///
    /// - Throws: `Problem` (`badParameter`).
    func sizeQuery() throws -> Int? {
        guard query("size")?.isEmpty == false, let size = try intQuery("size") else { return nil }
        guard (1...100).contains(size) else { throw Problem(.badParameter, message: "size must be from 1 to 100.") }
        return Int(size)
    }

    /// The cursor of the previous page; nil when absent. After the end, the page is empty.
    ///
    /// - Parameter end: The cursor of the last page.
    /// - Throws: `Problem` (`badParameter`).
    func cursorQuery(_ name: String, end: Int64) throws -> NotificationID? {
        guard query(name)?.isEmpty == false, let cursor = try intQuery(name) else { return nil }
        guard cursor > 0 || cursor == end else {
            throw Problem(.badParameter, message: "\(name) must be what a page has ended with.")
        }
        return NotificationID(rawValue: cursor)
    }
}

extension NotificationPage {
    /// The cursor of the next page; nil on the last one.
    var next: NotificationID? { isLast ? nil : notices.last?.id }
}
