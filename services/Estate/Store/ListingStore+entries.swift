import Contracts
import NIOCore
import Postgres
import Profiles
import Values

extension ListingStore {
    /// The entries of listings, in no particular order.
    func entries(
        _ publicIDs: [PublicID],
        for account: AccountID,
        in database: some Querying
    ) async throws -> [ListingEntry] {
        try await entries(
            "SELECT \(ListingEntry.columns(for: account)) FROM listings l WHERE l.public_id = ANY(\(publicIDs))",
            in: database
        )
    }

    /// The result of a statement with the columns `ListingEntry.columns`, in its order.
    func entries(_ statement: SQL, in database: some Querying) async throws -> [ListingEntry] {
        try await database.all(statement) { try $0.decode { try ListingEntry(&$0) } }
    }

    /// Fills the entries of listings that are older than the column.
    ///
    /// - Returns: Their number, at most `limit`.
    func completeEntries(limit: Int, in database: some Querying) async throws -> Int {
        try await database.execute(
            """
            UPDATE listings l SET entry = listing_entry(l) WHERE id IN (
                SELECT id FROM listings WHERE entry IS NULL ORDER BY id LIMIT \(limit) FOR NO KEY UPDATE SKIP LOCKED)
            """
        )
    }
}

extension ListingEntry {
    /// The columns of an entry, for a table or alias `l` of listings.
    ///
    /// - Parameters:
    ///   - account: The viewer.
    ///   - text: The entry's text.
    static func columns(for account: AccountID, text: SQL = "coalesce(l.entry, listing_entry(l))") -> SQL {
        """
        l.public_id, \(text),
        l.latitude, l.longitude, l.shown_latitude, l.shown_longitude, \(Position.isKnown(to: account)),
        \(LikeCounts.listings.count(of: "l"))
        """
    }

    /// Reads `columns(for:)`.
    fileprivate init(_ columns: inout Columns) throws {
        self.init(
            publicID: try columns.next(),
            text: try columns.next(),
            position: try Position(&columns),
            likeCount: try columns.next()
        )
    }
}

extension Position {
    /// Whether a viewer may see the exact position of a listing `l`.
    static func isKnown(to account: AccountID) -> SQL {
        """
        l.creator_id = \(account) OR l.id IN (
            SELECT r.listing_id FROM reservations r WHERE r.account_id = \(account) AND r.held_until IS NULL)
        """
    }

    /// Reads the exact position, the public one, and whether the viewer may see the exact one.
    init(_ columns: inout Columns) throws {
        self.init(
            exact: Coordinate(latitude: try columns.next(), longitude: try columns.next()),
            shown: Coordinate(latitude: try columns.next(), longitude: try columns.next()),
            isKnown: try columns.next()
        )
    }
}
