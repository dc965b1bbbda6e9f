import Geography
import Paging

/// What a list of posts nearby is sorted by; newer ones come first among equals, and then the latest written.
enum NearbyOrder: String, Sendable, CaseIterable {
    case newest = "createdAt"
    case likes
}

/// Which posts nearby somebody asks for.
struct NearbyQuery: Sendable, Equatable {
    var circle: Circle
    /// nil for all.
    var category: String?
    var order = NearbyOrder.newest
    /// Behind what the list begins.
    var cursor: PageCursor?
    var limit: Int
}

extension Posts {
    /// Metres, when nothing else is asked for.
    static let usualRadius = 5000.0
    /// Metres: half round the globe.
    static let radiusLimit = 20_000_000.0
    /// So many cells of a grid are looked at, at most, to begin with.
    private static let reachLimit = 600

    /// Anlaka's posts within a circle, a page of them.
    ///
    /// The circle is covered with cells of the finest grid that takes not too many, and the first posts of each are read
    /// from an index that has them in the list's order; so a page costs the same however deep it is, and however many posts
    /// there are. Of cells that the circle cuts, only so many posts are read: where that may have missed some that belong
    /// on the page, because most lie outside, the cell's parts in the next finer grid are read as well.
    func nearby(_ query: NearbyQuery, for account: Int64) async throws -> Page<Post> {
        var query = query
        let limit = query.limit
        query.limit += 1
        var level = GridLevel.allCases.last { query.circle.reach($0) <= Self.reachLimit } ?? .quarters
        var cells = query.circle.cells(level)
        var found: [PostStore.Found] = []
        while true {
            let best = try await store.nearby(query, level, inside: cells.inside, rim: cells.rim, database)
            found = Self.first(query.limit, of: found + best)
            guard let finer = level.finer, !cells.rim.isEmpty else { break }
            let last = found.count < query.limit ? nil : found.last?.cursor
            let cut = try await store.crowded(query, cells.rim, before: last, database)
            guard !cut.isEmpty else { break }
            cells = query.circle.touched(cut.lazy.flatMap(\.parts))
            level = finer
        }
        return try await page(found, for: account, limit: limit)
    }

    /// The first of posts that were found, perhaps twice.
    private static func first(_ limit: Int, of found: [PostStore.Found]) -> [PostStore.Found] {
        var seen: Set<Int64> = []
        let each = found.filter { seen.insert($0.item).inserted }
        let sorted = each.sorted { one, other in
            let (one, other) = (one.cursor, other.cursor)
            return (one.rank ?? 0, one.instant, one.id) > (other.rank ?? 0, other.instant, other.id)
        }
        return Array(sorted.prefix(limit))
    }
}
