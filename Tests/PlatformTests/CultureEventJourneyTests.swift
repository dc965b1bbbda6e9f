import AppClients
import Apps
import TestKit
import Testing

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
            let client = try await CultureClient(platform, "a@b.kr", nick: "하루")
            let other = try await CultureClient(platform, "c@d.kr", nick: "손님")
            var liked: [(id: String, product: String)] = []
            for title in Self.titles {
                let product = title + client.id
                let members = ["product_id": product, "title": title, "content": Self.content(title)]
                let body = RequestBody.json(.object(members.mapValues(JSON.string).merging(["files": []]) { $1 }))
                let made = try await client.send(\.createPost, body: body).shaped(Shape.post)
                // The client repeats the request.
                #expect(try await client.send(\.createPost, body: body).shaped(Shape.post) == made)
                let query = "next=&limit=10&product_id=\(product.encoded)"
                let found = try await client.send(\.listPosts, query: query).shaped(Shape.page)
                #expect(found["data"] == .array([made]) && found["next_cursor"] == "0")
                for (name, sent) in members {
                    #expect(made[name]?.string.map { Array($0.utf8) } == Array(sent.utf8), "\(title)")
                }
                let nothing = try await other.send(\.listPosts, query: query).shaped(Shape.page)
                #expect(nothing["data"] == [])
                liked.append((try made.text("post_id"), product))
            }
            let own = try await client.pages(\.listPostsByUser, client.id, query: "product_id=", of: 4, Shape.page)
            #expect(own == liked.map(\.id).reversed())
            #expect(try await other.pages(\.listPostsByUser, client.id, query: "product_id=", of: 4, Shape.page) == [])
            #expect(try await other.pages(\.listPosts, query: "product_id=", of: 4, Shape.page) == [])
            let profile = try await other.send(\.getUserProfile, client.id).shaped(Shape.profile)
            #expect(profile["posts"] == [])

            for (id, product) in liked {
                try await other.send(\.getPost, id).refused(410)
                try await other.send(\.deletePost, id).refused(410)
                try await client.send(\.deletePost, id).empty()
                try await client.send(\.deletePost, id).refused(410)
                let query = "next=&limit=10&product_id=\(product.encoded)"
                #expect(try await client.send(\.listPosts, query: query).shaped(Shape.page)["data"] == [])
            }
        }
    }

    /// The path of the city's own service, as the client writes it: the literal text `%20` for no filter, encoded once
    /// more.
    private static func path(_ range: ClosedRange<Int>, _ filter: String = "%2520/%2520/%2520") -> String {
        "/sample/json/culturalEventInfo/\(range.lowerBound)/\(range.upperBound)/\(filter)"
    }

    /// Reads the city's calendar without a token and without a key.
    private static func found(_ platform: Platform, _ path: String) async throws -> JSON {
        let answer = try await platform.send(.get, path)
        let value = try answer.json()
        #expect(Shape.openData.faults(in: value) == [], "\(path): \(answer.body.prefix(300))")
        return try #require(value["culturalEventInfo"])
    }

    /// Waits until the city's events are loaded; returns their number.
    private static func count(_ platform: Platform) async throws -> Int {
        var count = 0
        try await eventually {
            count = Int(try await found(platform, path(1...20)).number("list_total_count"))
            return count > 0
        }
        return count
    }

    @Test func openDataCalendar_isPagedAndFilteredByPath() async throws {
        try await Platform.test { (platform) async throws in
            let count = try await Self.count(platform)
            var (rows, start) = ([JSON](), 1)
            while start <= count {
                let page = try await Self.found(platform, Self.path(start...start + 19))
                #expect(page["row"]?.elements.count == min(20, count - start + 1))
                rows += page["row"]?.elements ?? []
                start += 20
            }
            #expect(rows.count == count)
            #expect(rows.allSatisfy { (37...38).contains(Double($0["LOT"]?.string ?? "") ?? 0) })
            #expect(rows.allSatisfy { (126...128).contains(Double($0["LAT"]?.string ?? "") ?? 0) })
            let nothing = try await Self.found(platform, Self.path(1...20, "%2520/\("없는 제목".encoded)/%2520"))
            #expect(nothing["list_total_count"] == 0 && nothing["row"] == [])
            #expect(nothing["RESULT"]?["CODE"] == "INFO-200")

            // The client filters by a category's whole name, or by its part before the slash: a path segment cannot
            // contain one.
            for (category, sent) in [("콘서트", "콘서트"), ("교육/체험", "교육")] {
                let expected = rows.filter { $0["CODENAME"]?.string == category }.count
                let found = try await Self.found(platform, Self.path(1...20, "\(sent.encoded)/%2520/%2520"))
                #expect(expected > 0 && found["list_total_count"] == .integer(Int64(expected)))
            }
            let title = rows[0]["TITLE"]?.string ?? ""
            let titled = try await Self.found(platform, Self.path(1...20, "%2520/\(title.encoded)/%2520"))
            #expect(titled["row"]?.elements.contains(rows[0]) == true)
            let day = rows[0]["STRTDATE"]?.string?.prefix(10) ?? ""
            let running = try await Self.found(platform, Self.path(1...1000, "%2520/%2520/\(day)"))
            let expected = rows.filter { row in
                (row["STRTDATE"]?.string?.prefix(10) ?? "") <= day && day <= (row["END_DATE"]?.string?.prefix(10) ?? "")
            }
            #expect(running["row"]?.elements.count == expected.count && !expected.isEmpty)
            #expect(try await platform.culture.send(.get, Self.path(1...20)).status == 200)
        }
    }

    @Test func events_areListedAndMarkedAsFavorites() async throws {
        try await Platform.test { (platform) async throws in
            _ = try await Self.count(platform)
            let client = try await CultureClient(platform, "a@b.kr", nick: "하루")
            let list = try await client.send(\.listEvents, query: "limit=50").shaped(Shape.events)
            #expect(list["data"]?.elements.count == 50 && list["next_cursor"] != "0")
            let event = try #require(list["data"]?.elements.first)
            let id = try event.text("event_id")
            #expect(try await client.send(\.getEvent, id).shaped(Shape.event) == event)
            #expect(event["isFavorite"] == false)

            for _ in 0..<2 {
                let now = try await client.send(\.addFavoriteEvent, id).shaped(Shape.favorite)
                #expect(now == ["event_id": "\(id)", "isFavorite": true])
            }
            let favourites = try await client.send(\.listFavoriteEvents).shaped(Shape.events)
            #expect(favourites.texts("event_id") == [id] && favourites["next_cursor"] == "0")
            // The older client, which uses posts only, sees the same like, with all the parts that it needs.
            func own() async throws -> JSON? {
                let query = "next=&limit=10&product_id="
                return try await client.send(\.listPostsByUser, client.id, query: query).shaped(Shape.page)["data"]
            }
            let seen = try await own()?.elements
            #expect(seen?.map { $0["product_id"]?.string } == [(event["title"]?.string ?? "") + client.id])
            #expect(
                seen?.first?["content"]?.string?.split(separator: "$$$", omittingEmptySubsequences: false).count == 14
            )
            for _ in 0..<2 {
                let now = try await client.send(\.removeFavoriteEvent, id).shaped(Shape.favorite)
                #expect(now["isFavorite"] == false)
            }
            #expect(try await own() == [])
            for id in ["x", String(repeating: "0", count: 24)] {
                try await client.send(\.getEvent, id).refused(410)
                try await client.send(\.addFavoriteEvent, id).refused(410)
            }
            try await client.send(\.listEvents, query: "date=today").refused(400)
            #expect(try await platform.culture.send(\.listEvents).status == 401)
        }
    }
}
