import FoundationEssentials
import Postgres
import ServiceDatabase
import ServiceKit
import Values

/// SQL of posts nearby, which are read from the indexes of each grid's cells.
extension PostStore {
    /// Maximum number of posts read in a cell that the circle cuts, except in the finest grid.
    static let rimLimit = 500

    /// The first posts of cells of one grid.
    ///
    /// - Parameters:
    ///   - inside: Cells inside the circle.
    ///   - rim: Cells that the circle cuts.
    func nearby(
        _ query: NearbyQuery,
        _ level: GridLevel,
        inside: [GridCell],
        rim: [GridCell],
        _ database: some Querying
    ) async throws -> [Found] {
        try await database.all(Self.nearby(query, level, inside: inside, rim: rim)) { row in
            let (id, instant, rank) = try row.decode(as: (PostID, Date, Int?).self)
            return (id, PageCursor(rank: rank.map(Int64.init), instant, id.rawValue))
        }
    }

    static func nearby(_ query: NearbyQuery, _ level: GridLevel, inside: [GridCell], rim: [GridCell]) -> SQL {
        let first: SQL = "ORDER BY \(query.columns) LIMIT \(query.limit)"
        let read: SQL = level.finer == nil ? "" : "ORDER BY \(query.columns) LIMIT \(Self.rimLimit)"
        return """
            SELECT t.id, t.created_at, t.like_count FROM (
                SELECT t.* FROM unnest(\(inside.map(\.number))) AS cell (number) CROSS JOIN LATERAL (
                    SELECT \(query.shown) FROM posts t WHERE \(query.isAsked(level)) \(first)
                ) t
                UNION ALL
                SELECT t.* FROM unnest(\(rim.map(\.number))) AS cell (number) CROSS JOIN LATERAL (
                    SELECT \(query.shown) FROM (
                        SELECT * FROM posts t WHERE \(query.isAsked(level)) \(read)
                    ) t WHERE \(query.circle.contains) \(first)
                ) t
            ) t
            \(first)
            """
    }

    /// The cells with unread posts that come before a position in the list.
    ///
    /// - Parameters:
    ///   - cells: Of one grid.
    ///   - last: The position; nil for the end of the list.
    func crowded(
        _ query: NearbyQuery,
        _ cells: [GridCell],
        before last: PageCursor?,
        _ database: some Querying
    ) async throws -> [GridCell] {
        guard let level = cells.first?.level else { return [] }
        let numbers = try await database.all(Self.crowded(query, level, cells, before: last)) {
            try $0.decode(Int32.self)
        }
        return numbers.map { GridCell(level, number: $0) }
    }

    static func crowded(_ query: NearbyQuery, _ level: GridLevel, _ cells: [GridCell], before last: PageCursor?) -> SQL
    {
        """
        SELECT cell.number FROM unnest(\(cells.map(\.number))) AS cell (number) WHERE EXISTS (
            SELECT FROM posts t WHERE \(query.isAsked(level)) AND \(query.isBefore(last))
            ORDER BY \(query.columns) LIMIT 1 OFFSET \(Self.rimLimit)
        )
        """
    }
}

extension NearbyQuery {
    /// The sort order.
    fileprivate var columns: SQL {
        switch order {
        case .newest: "t.created_at DESC, t.id DESC"
        case .likes: "t.like_count DESC, t.created_at DESC, t.id DESC"
        }
    }

    /// The columns that are read, all of which the index has.
    fileprivate var shown: SQL {
        switch order {
        case .newest: "t.id, t.created_at, NULL::int AS like_count"
        case .likes: "t.id, t.created_at, t.like_count"
        }
    }

    /// The condition of posts `t` in a `cell`. All posts have titles; the condition on the title makes the planner
    /// choose the indexes of all categories.
    fileprivate func isAsked(_ level: GridLevel) -> SQL {
        let category: SQL = category.map { "t.category = \($0)" } ?? "t.title IS NOT NULL"
        return "t.\(level.column) = cell.number AND t.hidden_at IS NULL AND \(category) AND \(isBehind(cursor))"
    }

    private func isBehind(_ cursor: PageCursor?) -> SQL {
        guard let cursor else { return "true" }
        return switch order {
        case .newest: "(t.created_at, t.id) < (\(cursor.instant), \(cursor.id))"
        case .likes:
            "(t.like_count, t.created_at, t.id) < (\(cursor.rank ?? -1), \(cursor.instant), \(cursor.id))"
        }
    }

    fileprivate func isBefore(_ cursor: PageCursor?) -> SQL {
        guard let cursor else { return "true" }
        return switch order {
        case .newest: "(t.created_at, t.id) > (\(cursor.instant), \(cursor.id))"
        case .likes: "(t.like_count, t.created_at, t.id) > (\(cursor.rank ?? 0), \(cursor.instant), \(cursor.id))"
        }
    }
}

extension Circle {
    /// Whether the circle contains a post `t`, by the formula of `Coordinate.distance`.
    fileprivate var contains: SQL {
        """
        sin(radians(t.latitude - \(centre.latitude)) / 2) ^ 2 + cos(radians(\(centre.latitude))) * cos(radians(t.latitude))
            * sin(radians(t.longitude - \(centre.longitude)) / 2) ^ 2 <= \(haversine)
        """
    }
}

extension GridLevel {
    /// The column of the level's cell numbers.
    fileprivate var column: SQL {
        switch self {
        case .quarters: "cell2"
        case .regions: "cell6"
        case .towns: "cell10"
        case .blocks: "cell14"
        }
    }
}
