import Contracts
import ServiceKit

/// Sort order of posts nearby. Equal ranks are sorted by time, and then by ID, newest first.
enum NearbyOrder: String, Sendable, CaseIterable {
    case newest = "createdAt"
    case likes
}

/// A search for posts nearby.
struct NearbyQuery: Sendable, Equatable {
    var circle: Circle
    /// nil for all.
    var category: String?
    var order = NearbyOrder.newest
    /// The cursor after which the page begins.
    var cursor: PageCursor?
    var limit: Int
}

extension Posts {
    /// Default radius in metres.
    static let usualRadius = 5000.0
    /// Maximum radius in metres: half the Earth's circumference.
    static let radiusLimit = 20_000_000.0
    /// Maximum number of cells examined at the first level.
    private static let reachLimit = 600

    /// A page of Anlaka's posts within a circle.
    ///
    /// The circle is covered with cells of the finest grid within `reachLimit`, and the first posts of each cell are
    /// read from an index in list order, so the cost of a page depends neither on its depth nor on the number of posts.
    /// Of cells that the circle cuts, a limited number of posts is read; where this may have missed posts of the page,
    /// because most are outside the circle, the cell is divided into those of the next finer grid.
    func nearby(_ query: NearbyQuery, for account: AccountID) async throws -> Page<Post> {
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

    /// The first posts of a list with duplicates.
    private static func first(_ limit: Int, of found: [PostStore.Found]) -> [PostStore.Found] {
        var seen: Set<PostID> = []
        let each = found.filter { seen.insert($0.item).inserted }
        let sorted = each.sorted { one, other in
            let (one, other) = (one.cursor, other.cursor)
            return (one.rank ?? 0, one.instant, one.id) > (other.rank ?? 0, other.instant, other.id)
        }
        return Array(sorted.prefix(limit))
    }
}
