import Contracts
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Postgres
import Profiles
import TestKit

@testable import Estate

extension EstateWorld {
    /// Sets an account's like of a listing; returns the status.
    @discardableResult
    func like(_ listing: String, by account: AccountID, _ status: Bool = true) async throws -> Int {
        let path = "/v1/estates/\(listing)/like?estate_id=\(listing)"
        return try await client(account).send(.post, path, json: #"{"like_status":\#(status)}"#).status.code
    }

    /// The listings of a list.
    func estates(_ path: String, by account: AccountID) async throws -> EstateAnswer.List {
        try await client(account).send(.get, "/v1/estates/\(path)").json(EstateAnswer.List.self)
    }

    /// The number of listings whose like count differs from their likes.
    func miscounted() async throws -> Int {
        try await database.one(
            """
            SELECT count(*) FROM listings l
            WHERE \(LikeCounts.listings.count(of: "l")) <> (SELECT count(*) FROM likes k WHERE k.listing_id = l.id)
            """
        ) { try $0.decode(Int.self) }
    }

    /// Inserts listings and likes, enough for the planner to prefer indexes.
    static func fill(listings: Int, likes: Int) async throws {
        let database = TestDatabase.current.client
        try await database.execute(
            """
            INSERT INTO people (account_id, app, public_id, nickname)
            SELECT n, 'anlaka', 'e' || lpad(to_hex(n), 23, '0'), 'p' FROM generate_series(100, 600) n
            """
        )
        try await database.execute(
            """
            INSERT INTO listings (creator_id, public_id, category, title, introduction, description, thumbnails,
                reservation_price, deposit, monthly_rent, maintenance_fee, built_on, area, parking_count, floors, options,
                is_safe, is_recommended, latitude, longitude, shown_latitude, shown_longitude, cell, created_at)
            SELECT 100 + n % 50, 'd' || lpad(to_hex(n), 23, '0'), (ARRAY['원룸', '오피스텔', '아파트', '빌라', '상가'])[1 + n % 5],
                'a', '', '', '{}', 1, (n % 100) * 1000000, 200000 + (n * 7919 % 300) * 10000, 1, '2020-01-01', 20, 0, 1,
                '{}', n % 3 = 0, true, 37.5, 127, 37.5, 127, n, now() - n * interval '1 minute'
            FROM generate_series(1, \(listings)) n
            """
        )
        try await database.execute(
            """
            INSERT INTO likes (listing_id, account_id, created_at)
            SELECT 1 + n * 7 % \(listings), 100 + n % 500, now() - n * interval '2 minutes'
            FROM generate_series(1, \(likes)) n ON CONFLICT DO NOTHING
            """
        )
        try await database.execute("VACUUM ANALYZE listings")
        try await database.execute("VACUUM ANALYZE likes")
    }
}
