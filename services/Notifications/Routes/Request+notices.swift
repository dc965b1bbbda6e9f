import AppWire
import Hummingbird
import ServiceHost

extension Request {
    /// `size`: how many are wanted, 1 to 100; nil when it is not there.
    ///
    /// - Throws: `Problem` (`badParameter`).
    func sizeQuery() throws -> Int? {
        guard query("size")?.isEmpty == false, let size = try intQuery("size") else { return nil }
        guard (1...100).contains(size) else { throw Problem(.badParameter, message: "size must be from 1 to 100.") }
        return Int(size)
    }

    /// The id that a page has ended with; nil when it is not there. After the end, nothing follows.
    ///
    /// - Parameter end: what the last page ends with.
    /// - Throws: `Problem` (`badParameter`).
    func cursorQuery(_ name: String, end: Int64) throws -> Int64? {
        guard query(name)?.isEmpty == false, let cursor = try intQuery(name) else { return nil }
        guard cursor > 0 || cursor == end else {
            throw Problem(.badParameter, message: "\(name) must be what a page has ended with.")
        }
        return cursor
    }
}

extension NoticePage {
    /// What the next page begins after; nil on the last.
    var next: Int64? { isLast ? nil : notices.last?.id }
}
