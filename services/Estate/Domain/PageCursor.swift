import FoundationEssentials

/// Where a page ends of a list that is sorted by an instant and an id, the latest first (Anlaka contract 1.7, Cursor list).
struct PageCursor: Sendable, Equatable {
    /// Whole milliseconds since 1970.
    private let milliseconds: Int64
    let id: Int64

    /// What the app is told on the last page. Whoever asks for more after it finds nothing.
    static let end = PageCursor(milliseconds: 0, id: 0)

    private init(milliseconds: Int64, id: Int64) {
        self.milliseconds = milliseconds
        self.id = id
    }

    init(_ instant: Date, _ id: Int64) {
        self.init(milliseconds: Int64((instant.timeIntervalSince1970 * 1000).rounded()), id: id)
    }

    /// nil for what no page has ended with.
    init?(_ text: String) {
        guard text != Self.end.text else {
            self = .end
            return
        }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let milliseconds = Int64(parts[0], radix: 36), let id = Int64(parts[1], radix: 36),
            (1...Self.latest).contains(milliseconds), id > 0
        else { return nil }
        self.init(milliseconds: milliseconds, id: id)
    }

    /// PostgreSQL takes it, and no list has anything as late.
    private static let latest: Int64 = 1_000_000_000_000_000

    var text: String {
        self == .end ? "0" : "\(String(milliseconds, radix: 36))-\(String(id, radix: 36))"
    }

    var instant: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}

/// A part of a list.
struct Page<Item: Sendable>: Sendable {
    var items: [Item]
    /// Where the next page begins.
    var next: PageCursor

    init(_ items: [Item], next: PageCursor) {
        self.items = items
        self.next = next
    }

    /// - Parameter found: what is there from where the page begins, at least one more than `limit` if there are as many.
    init(_ found: [(item: Item, cursor: PageCursor)], limit: Int) {
        let shown = found.prefix(limit)
        self.init(shown.map(\.item), next: found.count > limit ? shown.last?.cursor ?? .end : .end)
    }
}
