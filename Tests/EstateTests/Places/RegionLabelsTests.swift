import Apps
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import Synchronization
import TestKit
import Testing
import Values

@testable import Estate

@Suite(.database(Migrations.all), .timeLimit(.minutes(2))) struct RegionLabelsTests {
    private var world: PlaceWorld { .current }

    private struct Away: Error {}

    /// Records the questions, and answers them.
    private final class Kakao: Sendable {
        let asked = Mutex<[Coordinate]>([])
        let answer: @Sendable (Coordinate) throws -> PlaceName?

        init(_ answer: @escaping @Sendable (Coordinate) throws -> PlaceName?) { self.answer = answer }

        func labels(_ now: @escaping @Sendable () -> Date = { .now }) -> RegionLabels {
            let database = TestDatabase.current.client
            let source = PlaceSource(
                addresses: { _, _ in throw Away() },
                keywords: { _, _ in throw Away() },
                name: { place in
                    self.asked.withLock { $0.append(place) }
                    return try self.answer(place)
                }
            )
            let quota = PlaceQuota(database: database, perAccount: 9, perDay: 100_000, now: now)
            let places = Places(cache: PlaceCache(database: database, now: now), source: source, quota: quota)
            return RegionLabels(database: database, places: places, now: now)
        }
    }

    /// Inserts listings, far enough from each other to have different names.
    private func list(_ count: Int) async throws {
        let database = TestDatabase.current.client
        try await EstateWorld.addProfile(9, "중개사")
        try await database.execute(
            """
            INSERT INTO listings (creator_id, public_id, category, title, introduction, description, thumbnails,
                reservation_price, deposit, monthly_rent, maintenance_fee, built_on, area, parking_count, floors, options,
                is_safe, is_recommended, latitude, longitude, shown_latitude, shown_longitude, cell)
            SELECT 9, lpad(to_hex(n), 24, '0'), '원룸', 'a', '', '', '{}', 1, 1, 1, 1, '2020-01-01', 20, 0, 1, '{}', true,
                true, 37.5, 127 + n * 0.001, 37.5004, 127 + n * 0.001, n
            FROM generate_series(1, \(count)) n
            """
        )
    }

    private func regions() async throws -> [String?] {
        try await TestDatabase.current.client.all("SELECT region FROM listings ORDER BY id") {
            try $0.decode(String?.self)
        }
    }

    private func unsettled() async throws -> Int {
        try await TestDatabase.current.client.one(
            "SELECT count(*) FROM listings WHERE region_due_at IS NOT NULL"
        ) { try $0.decode(Int.self) }
    }

    @Test func concurrentSweepers_labelEachListingOnce() async throws {
        try await list(40)
        let kakao = Kakao { PlaceName(title: "a", subtitle: nil, region: "동 \($0.longitude)") }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<6 {
                group.addTask {
                    let labels = kakao.labels()
                    var count = 0
                    while try await labels.labelNext() { count += 1 }
                    return count
                }
            }
            let labelled = try await group.reduce(0, +)
            #expect(labelled == 40)
        }
        #expect(kakao.asked.withLock(\.count) == 40)
        #expect(try await regions().compactMap(\.self).count == 40)
        #expect(try await unsettled() == 0)
    }

    @Test func kakao_getsDisplacedPositionOnly() async throws {
        try await list(1)
        let kakao = Kakao { _ in PlaceName(title: "a", subtitle: nil, region: "상계동") }
        #expect(try await kakao.labels().labelNext())
        #expect(kakao.asked.withLock(\.self) == [Coordinate(latitude: 37.5004, longitude: 127.001)])
        #expect(try await regions() == ["상계동"])
    }

    @Test func placeWithoutName_isNotRetried() async throws {
        try await list(1)
        let kakao = Kakao { _ in nil }
        #expect(try await kakao.labels().labelNext())
        #expect(try await regions() == [nil])
        #expect(try await unsettled() == 0)
    }

    @Test func pauses_growUpToOneHour() async throws {
        try await list(1)
        let kakao = Kakao { _ in throw Away() }
        var now = Date.now + 1
        for pause in [15.0, 30, 60, 120, 240, 480, 960, 1920, 3600, 3600] {
            let (due, early, next) = (now, now + pause - 1, now + pause + 0.001)
            await #expect(throws: EstateError.placesUnavailable) { try await kakao.labels { due }.labelNext() }
            let isEarly = try await kakao.labels { early }.labelNext()
            #expect(!isEarly)
            now = next
        }
        #expect(kakao.asked.withLock(\.count) == 10)
        let mended = Kakao { _ in PlaceName(title: "a", subtitle: nil, region: "상계동") }
        let later = now
        let isLabelled = try await mended.labels { later }.labelNext()
        #expect(isLabelled)
        #expect(try await regions() == ["상계동"])
    }

    @Test func movedListing_staysDue() async throws {
        try await list(1)
        let store = RegionStore()
        let database = TestDatabase.current.client
        let due = try #require(try await store.takeDue(at: .now + 1, in: database))
        try await database.execute("UPDATE listings SET shown_latitude = 37.6, region_due_at = now()")
        try await store.settle(due, region: "상계동", in: database)
        #expect(try await regions() == [nil])
        #expect(try await unsettled() == 1)
    }

    @Test(.places) func newListing_isLabelled() async throws {
        let id = try await world.estate.list()
        var region: String?
        while region == nil {
            let answer = try await world.estate.client(9).send(.get, "/v1/estates/\(id)")
            region = try answer.json(EstateAnswer.self).region
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(region?.hasSuffix("동") == true)
        // 127.045432, 37.652258 is the exact position.
        let calls = try await world.calls()
        #expect(calls.count == 1)
        #expect(!calls.contains { $0.contains("127.0454") && $0.contains("37.6523") })
    }
}
