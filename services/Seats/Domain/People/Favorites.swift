import Contracts
import Postgres

/// Favorite routes: one per passenger and pair of stations, newest first.
struct Favorites: Sendable {
    /// Maximum number of favorites per passenger.
    static let limit = 50

    /// A page of a list.
    struct Page: Sendable, Equatable {
        var favorites: [Favorite]
        /// Whether older favorites follow.
        var hasMore: Bool
    }

    let database: PostgresClient
    let passengers = PassengerStore()
    let store = FavoriteStore()

    /// - Parameter id: the cursor: favorites with smaller ids are returned.
    func page(of account: AccountID, after id: FavoriteID?, size: Int) async throws -> Page {
        let found = try await store.favorites(of: account, after: id, limit: size + 1, in: database)
        return Page(favorites: Array(found.prefix(size)), hasMore: found.count > size)
    }

    /// - Throws: `PassengerError.favoriteNotFound`, `.favoriteForbidden` for another passenger's.
    func favorite(id: FavoriteID, of account: AccountID) async throws -> Favorite {
        try await requireOwn(id, account, in: database)
        guard let favorite = try await store.favorite(id: id, in: database) else {
            throw PassengerError.favoriteNotFound
        }
        return favorite
    }

    /// Adds a favorite; an existing one between the same stations is returned unchanged.
    ///
    /// - Returns: the favorite, and whether it is new.
    /// - Throws: `PassengerError.stationNotFound`, `.stationsUnfit`, `.favoritesFull`.
    func add(_ draft: FavoriteDraft, of account: AccountID) async throws -> (favorite: Favorite, isNew: Bool) {
        try await database.transaction { transaction in
            // Locks the passenger's row, so that concurrent requests cannot exceed the limit.
            try await passengers.admit(account, in: transaction)
            try await requireWay(draft, in: transaction)
            let new = try await store.insert(draft, of: account, limit: Self.limit, in: transaction)
            let id = if let new { new } else { try await store.id(like: draft, of: account, in: transaction) }
            guard let id, let favorite = try await store.favorite(id: id, in: transaction) else {
                throw PassengerError.favoritesFull
            }
            return (favorite, new != nil)
        }
    }

    /// Changes the name and the stations of a favorite.
    ///
    /// - Throws: `PassengerError.favoriteNotFound`, `.favoriteForbidden`, `.stationNotFound`, `.stationsUnfit`,
    ///   `.favoriteTaken`.
    func change(id: FavoriteID, of account: AccountID, to draft: FavoriteDraft) async throws -> Favorite {
        try await database.transaction { transaction in
            try await passengers.admit(account, in: transaction)
            try await requireOwn(id, account, in: transaction)
            try await requireWay(draft, in: transaction)
            try await store.update(id: id, to: draft, in: transaction)
            guard let favorite = try await store.favorite(id: id, in: transaction) else {
                throw PassengerError.favoriteNotFound
            }
            return favorite
        }
    }

    /// - Throws: `PassengerError.favoriteNotFound`, `.favoriteForbidden`.
    func delete(id: FavoriteID, of account: AccountID) async throws {
        try await requireOwn(id, account, in: database)
        try await store.delete(id: id, in: database)
    }

    private func requireOwn(_ id: FavoriteID, _ account: AccountID, in database: some Querying) async throws {
        guard let owner = try await store.owner(of: id, in: database) else { throw PassengerError.favoriteNotFound }
        guard owner == account else { throw PassengerError.favoriteForbidden }
    }

    private func requireWay(_ draft: FavoriteDraft, in database: some Querying) async throws {
        let lines = try await store.lines(ofStations: [draft.start, draft.end], in: database)
        guard lines.count == 2 else { throw PassengerError.stationNotFound }
        guard lines[0] == lines[1] else { throw PassengerError.stationsUnfit }
    }
}
