import FoundationEssentials
import Geography
import Paging
import Postgres
import ServiceDatabase

/// Where posts nearby are read from: indexes of each grid's cells.
extension PostStore {
    /// So many posts of a cell that the circle cuts are read, unless it is of the finest grid.
    static let rimLimit = 500

    /// The first posts of some cells of one grid.
    ///
    /// - Parameters:
    ///   - inside: cells that lie in the circle.
    ///   - rim: cells that it cuts.
    func nearby(
        _ query: NearbyQuery,
        _ level: GridLevel,
        inside: [GridCell],
        rim: [GridCell],
        _ database: some Querying
    ) async throws -> [Found] {
        try await database.all(Self.nearby(query, level, inside: inside, rim: rim)) { row in
            let (id, instant, rank) = try row.decode(as: (Int64, Date, Int?).self)
            return (id, PageCursor(rank: rank.map(Int64.init), instant, id))
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

    /// Those of some cells of which not all posts were read that come before a place in the list.
    ///
    /// - Parameters:
    ///   - cells: of one grid.
    ///   - last: nil for the list's end.
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
            SELECT FROM posts t WHERE \(query.isAsked(level)) AND \(query.isBefore(last)) OFFSET \(Self.rimLimit)
        )
        """
    }
}

extension NearbyQuery {
    /// What the list is sorted by.
    fileprivate var columns: SQL {
        switch order {
        case .newest: "t.created_at DESC, t.id DESC"
        case .likes: "t.like_count DESC, t.created_at DESC, t.id DESC"
        }
    }

    /// What is read of a post: nothing that the index does not have.
    fileprivate var shown: SQL {
        switch order {
        case .newest: "t.id, t.created_at, NULL::int AS like_count"
        case .likes: "t.id, t.created_at, t.like_count"
        }
    }

    /// Which posts `t` of a `cell` come into question.
    fileprivate func isAsked(_ level: GridLevel) -> SQL {
        let category: SQL = category.map { "t.category = \($0)" } ?? "true"
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
    /// Whether it contains a post `t`, by the formula of `Coordinate.distance`.
    fileprivate var contains: SQL {
        """
        sin(radians(t.latitude - \(centre.latitude)) / 2) ^ 2 + cos(radians(\(centre.latitude))) * cos(radians(t.latitude))
            * sin(radians(t.longitude - \(centre.longitude)) / 2) ^ 2 <= \(haversine)
        """
    }
}

extension GridLevel {
    /// The column with the numbers of its cells.
    fileprivate var column: SQL {
        switch self {
        case .quarters: "cell2"
        case .regions: "cell6"
        case .towns: "cell10"
        case .blocks: "cell14"
        }
    }
}
