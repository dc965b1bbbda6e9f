import Contracts
import Postgres
import Subway

/// SQL of favorites.
struct FavoriteStore: Sendable {
    /// Newest first.
    func favorites(
        of account: AccountID,
        after id: FavoriteID?,
        limit: Int,
        in database: some Querying
    ) async throws -> [Favorite] {
        try await database.all(
            """
            \(Self.select) WHERE f.account_id = \(account) AND f.id < coalesce(\(id), 9223372036854775807)
            ORDER BY f.id DESC LIMIT \(limit)
            """
        ) { Favorite(try $0.decode(as: Favorite.Columns.self)) }
    }

    func favorite(id: FavoriteID, in database: some Querying) async throws -> Favorite? {
        try await database.optional("\(Self.select) WHERE f.id = \(id)") {
            Favorite(try $0.decode(as: Favorite.Columns.self))
        }
    }

    func owner(of id: FavoriteID, in database: some Querying) async throws -> AccountID? {
        try await database.optional("SELECT account_id FROM favorites WHERE id = \(id)") {
            try $0.decode(AccountID.self)
        }
    }

    /// - Returns: nil when there is one between the same stations, or the limit is reached.
    func insert(
        _ draft: FavoriteDraft,
        of account: AccountID,
        limit: Int,
        in transaction: PostgresTransaction
    ) async throws -> FavoriteID? {
        try await transaction.optional(
            """
            INSERT INTO favorites (account_id, name, start_station_id, end_station_id)
            SELECT \(account), \(draft.name), \(draft.start), \(draft.end)
            WHERE (SELECT count(*) FROM favorites WHERE account_id = \(account)) < \(limit)
            ON CONFLICT ON CONSTRAINT favorites_stations_key DO NOTHING RETURNING id
            """
        ) { try $0.decode(FavoriteID.self) }
    }

    /// The id of the favorite between the same stations.
    func id(like draft: FavoriteDraft, of account: AccountID, in database: some Querying) async throws -> FavoriteID? {
        try await database.optional(
            """
            SELECT id FROM favorites WHERE account_id = \(account)
              AND start_station_id = \(draft.start) AND end_station_id = \(draft.end)
            """
        ) { try $0.decode(FavoriteID.self) }
    }

    /// - Throws: `PassengerError.favoriteTaken`.
    func update(id: FavoriteID, to draft: FavoriteDraft, in database: some Querying) async throws {
        do {
            try await database.execute(
                """
                UPDATE favorites SET name = \(draft.name), start_station_id = \(draft.start),
                    end_station_id = \(draft.end)
                WHERE id = \(id)
                """
            )
        } catch let error as PostgresError where error.violates("favorites_stations_key") {
            throw PassengerError.favoriteTaken
        }
    }

    func delete(id: FavoriteID, in database: some Querying) async throws {
        try await database.execute("DELETE FROM favorites WHERE id = \(id)")
    }

    /// The lines of the existing stations among the ids.
    func lines(ofStations ids: [StationID], in database: some Querying) async throws -> [String] {
        try await database.all("SELECT line FROM stations WHERE id = ANY(\(ids))") { try $0.decode(String.self) }
    }

    /// The columns of `Favorite.Columns`.
    private static let select: SQL = """
        SELECT f.id, f.name, s.id, s.name, s.line, e.id, e.name, e.line
        FROM favorites f JOIN stations s ON s.id = f.start_station_id JOIN stations e ON e.id = f.end_station_id
        """
}

extension Favorite {
    /// Id, name, and id, name and line of each end.
    fileprivate typealias Columns = (FavoriteID, String, StationID, String, String, StationID, String, String)

    fileprivate init(_ columns: Columns) {
        self.init(
            id: columns.0,
            name: columns.1,
            start: Stop(id: columns.2, name: columns.3, line: columns.4),
            end: Stop(id: columns.5, name: columns.6, line: columns.7)
        )
    }
}
