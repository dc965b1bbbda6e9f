import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Estate

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct PickTests {
    private var world: EstateWorld { .current }

    @Test(.service) func picks_withoutListings_areEmpty() async throws {
        for path in ["today-estates", "hot-estates", "similar-estates"] {
            let answer = try await world.client(1).send(.get, "/v1/estates/\(path)")
            #expect(answer.status == .ok)
            #expect(answer.text == #"{"data":[]}"#)
        }
    }

    @Test(.service) func todayEstates_areNewestSafeListings() async throws {
        var safe: [String] = []
        for number in 0..<8 {
            let id = try await world.list(9, .at(37.5, 127) { $0.isSafeEstate = number.isMultiple(of: 2) })
            if number.isMultiple(of: 2) { safe.append(id) }
        }
        let list = try await world.estates("today-estates", by: 1)
        #expect(list.data.map(\.estateID) == safe.suffix(3).reversed())
    }

    @Test(.service(at: "2025-11-20T03:00:00Z")) func hotEstates_areMostLikedRecently() async throws {
        var ids: [String] = []
        for _ in 0..<14 { ids.append(try await world.list()) }
        // Many likes, but old ones.
        for account in [1, 2, 9] as [AccountID] { try await world.like(ids[0], by: account) }
        world.clock.advance(by: 30 * 86_400 + 1)
        for account in [1, 2] as [AccountID] { try await world.like(ids[3], by: account) }
        for id in [ids[2], ids[5]] { try await world.like(id, by: 1) }

        world.clock.advance(by: FeaturedListings.countPause)
        try await world.countLikes()
        let hot = try await world.estates("hot-estates", by: 1).data.map(\.estateID)
        #expect(hot == [ids[3], ids[5], ids[2]] + ids[7...].reversed())
        // With ten liked listings no other new ones are added.
        for id in ids[4...] { try await world.like(id, by: 9) }
        #expect(
            try await world.estates("hot-estates", by: 1).data.map(\.estateID) == hot,
            "it is counted once a minute"
        )
        world.clock.advance(by: FeaturedListings.countPause)
        try await world.countLikes()
        let full = try await world.estates("hot-estates", by: 1).data.map(\.estateID)
        #expect(full == [ids[5], ids[3]] + ids[6...].reversed().prefix(8))
    }

    @Test(.service) func similarEstates_matchCategoryAndMonthlyCost() async throws {
        func list(_ account: AccountID, _ category: String, _ deposit: Int, _ rent: Int) async throws -> String {
            try await world.list(
                account,
                .at(37.5, 127) { ($0.category, $0.deposit, $0.monthlyRent) = (category, deposit, rent) }
            )
        }
        // 500,000 + 100,000 a month: the band from 450,000 to below 650,000.
        let liked = try await list(9, "원룸", 20_000_000, 500_000)
        let lowEnd = try await list(9, "원룸", 0, 450_000)
        let deposit = try await list(2, "원룸", 129_999_999, 0)
        _ = try await list(9, "원룸", 0, 449_999)
        _ = try await list(9, "원룸", 130_000_000, 0)
        let flat = try await list(9, "아파트", 20_000_000, 500_000)
        _ = try await list(1, "원룸", 20_000_000, 500_000)
        try await world.like(liked, by: 1)
        #expect(try await world.estates("similar-estates", by: 1).data.map(\.estateID) == [deposit, lowEnd])
        try await world.like(lowEnd, by: 1)
        #expect(try await world.estates("similar-estates", by: 1).data.map(\.estateID) == [deposit])
        try await world.like(deposit, by: 1)
        // No similar listing is left: the newest ones follow, without liked and own ones.
        let rest = try await world.estates("similar-estates", by: 1).data.map(\.estateID)
        #expect(rest.count == 3 && rest.first == flat)
        #expect(try await world.estates("similar-estates", by: 2).data.count == 6)
    }

    @Test(.service) func similarEstates_areNewestTen() async throws {
        var ids: [String] = []
        for _ in 0..<13 { ids.append(try await world.list()) }
        try await world.like(ids[12], by: 1)
        let similar = try await world.estates("similar-estates", by: 1).data.map(\.estateID)
        #expect(similar == ids[2...11].reversed())
    }
}

extension EstateWorld {
    /// Counts likes as the service's job does.
    fileprivate func countLikes() async throws {
        try await FeaturedListings(database: TestDatabase.current.client, now: { [clock] in clock.now }).countLikes()
    }
}
