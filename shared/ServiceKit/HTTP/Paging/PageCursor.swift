package import FoundationEssentials

/// The end of a page in a list sorted by time and id, latest first, optionally preceded by a rank, highest first
/// (Anlaka contract 1.7, Cursor list).
package struct PageCursor: Sendable, Equatable {
    /// The rank of the last item; nil for a list without ranks.
    package let rank: Int64?
    /// Whole milliseconds since 1970.
    private let milliseconds: Int64
    package let id: Int64

    /// The cursor of the last page. A request with it returns an empty page.
    package static let end = PageCursor(rank: nil, milliseconds: 0, id: 0)

    private init(rank: Int64?, milliseconds: Int64, id: Int64) {
        self.rank = rank
        self.milliseconds = milliseconds
        self.id = id
    }

    package init(rank: Int64? = nil, _ instant: Date, _ id: Int64) {
        self.init(rank: rank, milliseconds: Int64((instant.timeIntervalSince1970 * 1000).rounded()), id: id)
    }

    /// nil if the text is not a valid cursor.
    package init?(_ text: String) {
        guard text != Self.end.text else {
            self = .end
            return
        }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int64($0, radix: 36) }
        let numbers = parts.compactMap(\.self)
        guard numbers.count == parts.count, (2...3).contains(numbers.count), numbers.allSatisfy({ $0 >= 0 }) else {
            return nil
        }
        let (milliseconds, id) = (numbers[numbers.count - 2], numbers[numbers.count - 1])
        guard (1...Self.latest).contains(milliseconds), id > 0 else { return nil }
        self.init(rank: numbers.count == 3 ? numbers[0] : nil, milliseconds: milliseconds, id: id)
    }

    /// The maximum value, which is within PostgreSQL's range and later than any item.
    private static let latest: Int64 = 1_000_000_000_000_000

    package var text: String {
        guard self != .end else { return "0" }
        return ([rank, milliseconds, id] as [Int64?]).compactMap { $0.map { String($0, radix: 36) } }
            .joined(separator: "-")
    }

    package var instant: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
