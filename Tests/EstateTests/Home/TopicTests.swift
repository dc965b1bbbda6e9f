import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing
import Values

@testable import Estate

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct TopicTests {
    private var world: EstateWorld { .current }

    private struct List: Decodable {
        struct Item: Decodable, Equatable {
            var title: String
            var content: String
            var date: String
            var link: String?
        }

        var data: [Item]
    }

    private func topics() async throws -> [List.Item] {
        try await world.client(1).send(.get, "/v1/estates/today-topic").json(List.self).data
    }

    /// Sets the creation time of all rows of a table.
    private func date(_ table: String, _ instant: String) async throws {
        try await world.database.execute(
            "UPDATE \(identifier: table) SET created_at = \(try Date(instant, strategy: .iso8601))"
        )
    }

    @Test(.service) func topics_withoutListings_areEmpty() async throws {
        let answer = try await world.client(1).send(.get, "/v1/estates/today-topic")
        #expect(answer.status == .ok)
        #expect(answer.text == #"{"data":[]}"#)
        #expect(try await world.count("topics") == 0)
    }

    @Test(.service(at: "2025-11-19T20:45:00Z")) func topics_showStoredFiguresOncePerDay() async throws {
        // 20:45 of the 19th in UTC is the morning of the 20th in Seoul.
        _ = try await world.list(
            9,
            .at(37.5, 127) {
                $0.monthlyRent = 2_000_000; $0.category = "아파트"
            }
        )
        try await date("listings", "2025-11-18T14:59:59Z")
        var rooms: [String] = []
        for rent in [500_000, 600_001, 0] {
            rooms.append(try await world.list(9, .at(37.5, 127) { $0.monthlyRent = rent }))
        }
        try await world.database.execute(
            """
            UPDATE listings SET region = '월계동', created_at = '2025-11-18T15:00:00Z' WHERE category = '원룸'
            """
        )
        for account in [1, 2] as [AccountID] { try await world.like(rooms[0], by: account) }
        let list = try await topics()
        #expect(list.map(\.title) == ["새로 나온 매물 3건", "원룸 평균 월세 550,001원", "요즘 가장 사랑받는 동네, 월계동"])
        #expect(Set(list.map(\.date)) == ["2025-11-20"])
        #expect(list[2].content.contains("좋아요 2개"))
        #expect(list.allSatisfy { $0.link == nil })
        #expect(!(try await world.client(1).send(.get, "/v1/estates/today-topic").text.contains("link")))

        // The topics are written once a day; later changes have no effect.
        _ = try await world.list()
        world.clock.advance(by: 18 * 3600)
        #expect(try await topics() == list)
        world.clock.advance(by: 3600)
        let next = try await topics()
        #expect(next.suffix(3) == list[...])
        #expect(next.dropLast(3).map(\.date).allSatisfy { $0 == "2025-11-21" } && next.count > 3)
    }

    @Test(.service) func concurrentRequests_writeTopicsOnce() async throws {
        let id = try await world.list()
        try await world.database.execute("UPDATE listings SET region = '월계동'")
        try await world.like(id, by: 1)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<12 {
                group.addTask {
                    let topics = try await topics()
                    #expect(topics.count == 3)
                }
            }
            try await group.waitForAll()
        }
        #expect(try await world.count("topics") == 3)
    }

    @Test(.service(at: "2025-11-20T03:00:00Z")) func operatorTopics_areShownFromTheirDate() async throws {
        try await world.database.execute(
            """
            INSERT INTO topics (title, content, link, date) VALUES
                ('전세 사기 예방', '확인할 것', 'https://example.com/a', '2025-11-19'), ('공지', '', NULL, '2025-11-20'),
                ('내일부터', '', NULL, '2025-11-21')
            """
        )
        #expect(
            try await topics() == [
                .init(title: "공지", content: "", date: "2025-11-20"),
                .init(title: "전세 사기 예방", content: "확인할 것", date: "2025-11-19", link: "https://example.com/a"),
            ]
        )
        world.clock.advance(by: 86_400)
        #expect(try await topics().first?.title == "내일부터")
        try await world.database.execute(
            "INSERT INTO topics (title, date) SELECT '글 ' || n, '2025-11-21' FROM generate_series(1, 30) n"
        )
        let titles = try await topics().map(\.title)
        #expect(titles == (11...30).reversed().map { "글 \($0)" })
    }

    @Test func topicQuery_usesIndex() async throws {
        let database = TestDatabase.current.client
        try await database.execute(
            "INSERT INTO topics (title, date) SELECT 'a', '2000-01-01'::date + n FROM generate_series(1, 20000) n"
        )
        try await database.execute("ANALYZE topics")
        let plan = try await EstateWorld.plan(TopicStore.topics(until: .init(dayNumber: 20_000), limit: 20))
        #expect(plan.contains("topics_date_idx") && !plan.contains("Sort"), "\(plan)")
    }
}
