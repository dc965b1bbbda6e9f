import Apps
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing
import Values

@testable import Estate

/// What is stored of a listing for lists.
@Suite(.database(Migrations.all)) struct ListingEntryTests {
    private var world: EstateWorld { .current }
    private static let list = "/v1/estates/today-estates"

    private func listed() async throws -> [EstateAnswer] {
        try await world.client(1).send(.get, Self.list).json(EstateAnswer.List.self).data
    }

    /// What a list has of a listing.
    private func summary(of id: String) async throws -> EstateAnswer {
        var answer = try await world.client(1).send(.get, "/v1/estates/\(id)").json(EstateAnswer.self)
        (answer.reservationPrice, answer.description, answer.maintenanceFee, answer.parkingCount) = (nil, nil, nil, nil)
        (answer.options, answer.creator, answer.isLiked, answer.isReserved, answer.comments) = (nil, nil, nil, nil, nil)
        return answer
    }

    @Test(
        .service,
        arguments: [
            EstateBody(),
            .at(-33.9, -70.1) {
                ($0.area, $0.floors, $0.deposit) = (20.1 + 0.2, -2, 1)
                ($0.builtYear, $0.isSafeEstate, $0.isRecommended) = ("1950-02-28", true, true)
            },
        ]
    )
    func entry_hasWhatTheListingHas(body: EstateBody) async throws {
        let id = try await world.list(9, body)
        #expect(try await listed() == [summary(of: id)])
        let (title, region) = ("\"집\" \\ \u{1}\u{7f}\n\t</script>", "{\"a\":[null]}👩‍👩‍👧 é")
        try await TestDatabase.current.client.execute("UPDATE listings SET title = \(title), region = \(region)")
        #expect(try await listed().map(\.region) == [region])
        #expect(try await listed() == [summary(of: id)])
    }

    @Test(.service) func entryOfAnOlderListing_isMade() async throws {
        let database = TestDatabase.current.client
        for _ in 0..<3 { _ = try await world.list() }
        let before = try await world.client(1).send(.get, Self.list).text
        try await database.execute("UPDATE listings SET entry = NULL")
        #expect(try await world.client(1).send(.get, Self.list).text == before)
        let store = ListingStore()
        #expect(try await store.completeEntries(limit: 2, in: database) == 2)
        #expect(try await store.completeEntries(limit: 2, in: database) == 1)
        #expect(try await store.completeEntries(limit: 2, in: database) == 0)
        let count = try await database.one("SELECT count(entry) FROM listings") { try $0.decode(Int.self) }
        #expect(count == 3)
        #expect(try await world.client(1).send(.get, Self.list).text == before)
    }
}
