import Contracts
import NIOHTTP1
import Testing

@testable import Gateway

/// The city's events as Seoul Culture's client finds and likes them, through the gateway (contract 4.3, 5.1 and 7,
/// items 4, 5 and 9).
@Suite(.timeLimit(.minutes(8))) struct CultureEventJourneyTests {
    private typealias Shape = JSONShape.Culture

    private static let titles = [
        "A & B", "#해시/태그", "\"quotes\" and 'more'", "이모지 🎪👨‍👩‍👧", "1+1 = 2?", "100% 무료", "back\\slash", " blank ",
        "%2520", "e\u{301} 끝 가\u{1100}", String(repeating: "긴 제목 ", count: 100),
    ]

    /// The members that the client stores of an event, in its order.
    private static func content(_ title: String) -> String {
        [
            "https://example.org/a.jpg?x=1&y=2", title, "교육/체험", "2025-11-01 00:00:00.0", "2025-11-30 00:00:00.0",
            "  곳 ", "", "종로구", "37.57", "126.97", "전석 1,000원 & \"무료\"", "유료", "#누구나\t🎪", "http://example.org/#/a",
        ].joined(separator: "$$$")
    }

    @Test func likedEvent_returnsTheSameBytes() async throws {
        try await Platform.test { (platform) async throws in
            let phone = try await KeyedPhone(platform, .culture, "a@b.kr", nick: "하루")
            let other = try await KeyedPhone(platform, .culture, "c@d.kr", nick: "손님")
            var liked: [(id: String, product: String)] = []
            for title in Self.titles {
                let product = title + phone.id
                let members = [
                    "product_id": product, "title": title, "content": Self.content(title),
                ].mapValues(JSONValue.string)
                let body = JSONValue.object(members.merging(["files": .array([])]) { $1 }).json
                let made = try await phone.ask(.POST, "/v1/posts", body, 200, Shape.post)
                // The client repeats the request.
                #expect(try await phone.ask(.POST, "/v1/posts", body, 200, Shape.post) == made)
                let query = "/v1/posts?next=&limit=10&product_id=\(product.encoded)"
                let found = try await phone.ask(.GET, query, nil, 200, Shape.page)
                #expect(found["data"] == .array([made]) && found["next_cursor"] == .string("0"))
                for (name, sent) in members {
                    #expect(made[name]?.text.map { Array($0.utf8) } == sent.text.map { Array($0.utf8) }, "\(title)")
                }
                let nothing = try await other.ask(.GET, query, nil, 200, Shape.page)
                #expect(nothing["data"] == .array([]))
                liked.append((try #require(made["post_id"]?.text), product))
            }
            let mine = "/v1/posts/users/\(phone.id)?product_id="
            #expect(try await phone.pages(mine, of: 4, Shape.page) == liked.map(\.id).reversed())
            for path in [mine, "/v1/posts?product_id="] {
                #expect(try await other.pages(path, of: 4, Shape.page) == [])
            }
            let profile = try await other.ask(.GET, "/v1/users/\(phone.id)/profile", nil, 200, Shape.profile)
            #expect(profile["posts"] == .array([]))

            for (id, product) in liked {
                try await other.ask(.GET, "/v1/posts/\(id)", nil, 410)
                try await other.ask(.DELETE, "/v1/posts/\(id)", nil, 410)
                try await phone.ask(.DELETE, "/v1/posts/\(id)")
                try await phone.ask(.DELETE, "/v1/posts/\(id)", nil, 410)
                let query = "/v1/posts?next=&limit=10&product_id=\(product.encoded)"
                #expect(try await phone.ask(.GET, query, nil, 200, Shape.page)["data"] == .array([]))
            }
        }
    }

    /// The path of the city's own service, as the client writes it: the literal text `%20` for no filter, encoded once
    /// more.
    private static func path(_ range: ClosedRange<Int>, _ filter: String = "%2520/%2520/%2520") -> String {
        "/sample/json/culturalEventInfo/\(range.lowerBound)/\(range.upperBound)/\(filter)"
    }

    /// Reads the city's calendar without a token and without a key.
    private static func found(_ platform: Platform, _ path: String) async throws -> JSONValue {
        let answer = try await platform.send(.GET, path)
        try #require(answer.status == 200, "\(answer.body)")
        let value = try answer.value(JSONValue.self)
        #expect(Shape.openData.faults(in: value) == [], "\(path): \(answer.body.prefix(300))")
        return try #require(value["culturalEventInfo"])
    }

    /// Waits until the city's events are loaded; returns their number.
    private static func count(_ platform: Platform) async throws -> Int {
        while true {
            if case .int(let count) = try await found(platform, path(1...20))["list_total_count"], count > 0 {
                return count
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    @Test func openDataCalendar_isPagedAndFilteredByPath() async throws {
        try await Platform.test { (platform) async throws in
            let count = try await Self.count(platform)
            var (rows, start) = ([JSONValue](), 1)
            while start <= count {
                let page = try await Self.found(platform, Self.path(start...start + 19))
                #expect(page["row"]?.values.count == min(20, count - start + 1))
                rows += page["row"]?.values ?? []
                start += 20
            }
            #expect(rows.count == count)
            #expect(rows.allSatisfy { (37...38).contains(Double($0["LOT"]?.text ?? "") ?? 0) })
            #expect(rows.allSatisfy { (126...128).contains(Double($0["LAT"]?.text ?? "") ?? 0) })
            let nothing = try await Self.found(platform, Self.path(1...20, "%2520/\("없는 제목".encoded)/%2520"))
            #expect(nothing["list_total_count"] == .int(0) && nothing["row"] == .array([]))
            #expect(nothing["RESULT"]?["CODE"] == .string("INFO-200"))

            // The client filters by a category's whole name, or by its part before the slash: a path segment cannot
            // contain one.
            for (category, sent) in [("콘서트", "콘서트"), ("교육/체험", "교육")] {
                let expected = rows.filter { $0["CODENAME"] == .string(category) }.count
                let found = try await Self.found(platform, Self.path(1...20, "\(sent.encoded)/%2520/%2520"))
                #expect(expected > 0 && found["list_total_count"] == .int(expected))
            }
            let title = rows[0]["TITLE"]?.text ?? ""
            let titled = try await Self.found(platform, Self.path(1...20, "%2520/\(title.encoded)/%2520"))
            #expect(titled["row"]?.values.contains(rows[0]) == true)
            let day = rows[0]["STRTDATE"]?.text?.prefix(10) ?? ""
            let running = try await Self.found(platform, Self.path(1...1000, "%2520/%2520/\(day)"))
            let expected = rows.filter { row in
                (row["STRTDATE"]?.text?.prefix(10) ?? "") <= day && day <= (row["END_DATE"]?.text?.prefix(10) ?? "")
            }
            #expect(running["row"]?.values.count == expected.count && !expected.isEmpty)
            let keyed = try await platform.send(.GET, Self.path(1...20), key: "culture-dev-key")
            #expect(keyed.status == 200)
        }
    }

    @Test func events_areListedAndMarkedAsFavorites() async throws {
        try await Platform.test { (platform) async throws in
            _ = try await Self.count(platform)
            let phone = try await KeyedPhone(platform, .culture, "a@b.kr", nick: "하루")
            let list = try await phone.ask(.GET, "/v1/events?limit=50", nil, 200, Shape.events)
            #expect(list["data"]?.values.count == 50 && list["next_cursor"] != .string("0"))
            let event = try #require(list["data"]?.values.first)
            let id = try #require(event["event_id"]?.text)
            #expect(try await phone.ask(.GET, "/v1/events/\(id)", nil, 200, Shape.event) == event)
            #expect(event["isFavorite"] == .bool(false))

            let favorite = "/v1/events/\(id)/favorite"
            for _ in 0..<2 {
                let now = try await phone.ask(.PUT, favorite, nil, 200, Shape.favorite)
                #expect(now == .object(["event_id": .string(id), "isFavorite": .bool(true)]))
            }
            let favourites = try await phone.ask(.GET, "/v1/events/favorites", nil, 200, Shape.events)
            #expect(favourites.texts("event_id") == [id] && favourites["next_cursor"] == .string("0"))
            // The older client, which uses posts only, sees the same like, with all the parts that it needs.
            let mine = "/v1/posts/users/\(phone.id)?next=&limit=10&product_id="
            let seen = try await phone.ask(.GET, mine, nil, 200, Shape.page)["data"]?.values
            #expect(seen?.map { $0["product_id"]?.text } == [(event["title"]?.text ?? "") + phone.id])
            #expect(
                seen?.first?["content"]?.text?.split(separator: "$$$", omittingEmptySubsequences: false).count == 14
            )
            for _ in 0..<2 {
                let now = try await phone.ask(.DELETE, favorite, nil, 200, Shape.favorite)
                #expect(now["isFavorite"] == .bool(false))
            }
            #expect(try await phone.ask(.GET, mine, nil, 200, Shape.page)["data"] == .array([]))
            for id in ["x", String(repeating: "0", count: 24)] {
                try await phone.ask(.GET, "/v1/events/\(id)", nil, 410)
                try await phone.ask(.PUT, "/v1/events/\(id)/favorite", nil, 410)
            }
            try await phone.ask(.GET, "/v1/events?date=today", nil, 400)
            #expect(try await platform.send(.GET, "/v1/events", key: phone.key).status == 401)
        }
    }
}
