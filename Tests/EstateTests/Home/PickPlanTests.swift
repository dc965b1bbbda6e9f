import Contracts
import FoundationEssentials
import Postgres
import TestKit
import Testing

@testable import Estate

/// The plans of the queries for picks among many listings.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct PickPlanTests {
    @Test func pickQueries_useIndexes() async throws {
        // The likes of about 14 days, and of the 14 days before, which do not count.
        try await EstateWorld.fill(listings: 25_000, likes: 40_000)
        let likes = try await TestDatabase.current.client.one("SELECT count(*) FROM likes") { try $0.decode(Int.self) }
        #expect(likes >= 20_000)
        // Account 101 likes few listings; account 1 likes nearly half of them.
        try await TestDatabase.current.client.execute(
            """
            INSERT INTO likes (listing_id, account_id, created_at)
            SELECT n, 1, now() - interval '20 days' FROM generate_series(1, 12000) n
            """
        )
        try await TestDatabase.current.client.execute("VACUUM ANALYZE likes")
        for account in [101, 1] as [AccountID] {
            for (name, statement, indexes) in [
                ("safe", FeaturedListingStore.safe(limit: 3, for: account), ["listings_safe_created_at_idx"]),
                (
                    "liked", FeaturedListingStore.liked(limit: 10, for: account),
                    ["listings_created_at_idx", "listings_pkey"]
                ),
                (
                    "similar", FeaturedListingStore.similar(toLatest: 20, of: account, limit: 10),
                    ["likes_account_id_idx", "listings_price_band_idx"]
                ),
                ("newest", FeaturedListingStore.newest(limit: 10, for: account), ["listings_created_at_idx"]),
            ] {
                let plan = try await EstateWorld.plan(statement)
                for index in indexes { #expect(plan.contains(index), "\(name): \(plan)") }
                #expect(!plan.contains("Seq Scan on l") && !plan.contains("Seq Scan on likes"), "\(name): \(plan)")
            }
        }
    }
}
