import ServiceKit
import Values

/// The shifts that a list shows: those of some days, and of these a page (MOUP contract 1.5, Calendars).
struct ShiftWindow: Sendable, Equatable {
    var days: ClosedRange<CivilDate>
    /// The number of shifts of a page; nil for all.
    var size: Int?
    /// The end of the previous page.
    var after: PageCursor?

    /// The longest span of days that a calendar shows, as long as thirteen months.
    static let longest = 400
    /// The shifts of a page of a calendar, about 50 kB.
    static let page = 100

    init(_ days: ClosedRange<CivilDate>, size: Int? = nil, after: PageCursor? = nil) {
        self.days = days
        self.size = size
        self.after = after
    }

    /// The number of rows to read: one more than the page, which tells whether another page follows.
    var limit: Int? { size.map { $0 + 1 } }

    /// - Parameter found: the shifts from the start of the page, at most `limit`.
    func page<Item>(_ found: [Item], cursor: (Item) -> PageCursor) -> Page<Item> {
        guard let size else { return Page(found, next: .end) }
        return Page(found.map { ($0, cursor($0)) }, limit: size)
    }
}
