import Apps
import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import TestKit
import Testing
import Values

@testable import Community

/// The calendar for new clients.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .culture) struct EventRoutesTests {
    private var world: CommunityWorld { .current }

    struct Answer: Decodable, Equatable {
        var eventID: String
        var title: String
        var category: String
        var district: String
        var isFree: Bool
        var startDate: String?
        var endDate: String?
        var link: String?
        var latitude: Double?
        var longitude: Double?
        var distance: Double?
        var isFavorite: Bool

        enum CodingKeys: String, CodingKey {
            case eventID = "event_id"
            case title, category, district, isFree, startDate, endDate, link, latitude, longitude, distance, isFavorite
        }

        struct List: Decodable, Equatable {
            var data: [Answer]
            var nextCursor: String

            enum CodingKeys: String, CodingKey {
                case data
                case nextCursor = "next_cursor"
            }
        }
    }

    private static let events = [
        CulturalEvent.fixture("광화문", [.start: "2025-06-01", .end: "2025-06-30"]),
        CulturalEvent.fixture(
            "상계",
            [
                .start: "2025-06-20", .end: "2025-07-20", .district: "노원구", .category: "교육/체험", .isFree: "유료",
                .latitude: "37.6542", .longitude: "127.0568",
            ]
        ),
        CulturalEvent.fixture("어딘가", [.start: "2025-07-01", .end: "2025-07-01", .latitude: "", .longitude: ""]),
    ]

    private func search(_ query: String, by account: AccountID = 1) async throws -> Answer.List {
        try await world.client(account).send(.get, "/v1/events\(query)").json(Answer.List.self)
    }

    @Test(arguments: [
        ("", ["어딘가", "상계", "광화문"]), ("?date=2025-06-20", ["상계", "광화문"]), ("?date=2025-05-31", []),
        ("?from=2025-07-01", ["어딘가", "상계"]), ("?to=2025-06-19", ["광화문"]),
        ("?from=2025-06-30&to=2025-06-30", ["상계", "광화문"]),
        ("?district=\("노원구".encoded)", ["상계"]), ("?category=\("교육".encoded)", ["상계"]), ("?fee=free", ["어딘가", "광화문"]),
        ("?fee=paid", ["상계"]), ("?title=\("계".encoded)", ["상계"]), ("?title=%25", []),
        ("?latitude=37.5759&longitude=126.9769&maxDistance=1000", ["광화문"]),
        ("?latitude=37.5759&longitude=126.9769&maxDistance=20000", ["상계", "광화문"]),
        ("?latitude=37.5759&longitude=126.9769", ["어딘가", "상계", "광화문"]),
        (
            "?date=&from=&to=&district=&category=&fee=&title=&latitude=&longitude=&maxDistance=&limit=&next=",
            ["어딘가", "상계", "광화문"]
        ),
    ])
    func events_areFiltered(query: String, titles: [String]) async throws {
        try await CalendarDataset.fill(Self.events)
        let list = try await search(query)
        #expect(list.data.map(\.title) == titles && list.nextCursor == "0")
    }

    @Test func event_showsDistanceAndDetails() async throws {
        try await CalendarDataset.fill(Self.events)
        let list = try await search("?latitude=37.5759&longitude=126.9769").data
        let wanted = Coordinate(latitude: 37.5759, longitude: 126.9769)
            .distance(to: Coordinate(latitude: 37.6542, longitude: 127.0568))
        #expect(abs(try #require(list[1].distance) - wanted) < 0.001 && list[2].distance == 0)
        #expect(list[0].distance == nil && list[0].latitude == nil)
        #expect(list[1].startDate == "2025-06-20" && list[1].endDate == "2025-07-20" && !list[1].isFree)
        #expect(list[1].link == "https://example.org/a?b=1&c=2" && list[1].latitude == 37.6542)
        let one = try await world.client(2).send(.get, "/v1/events/\(list[1].eventID)").json(Answer.self)
        #expect(one.title == "상계" && one.distance == nil && !one.isFavorite)
        for id in ["1", "%00", "favorite", String(repeating: "0", count: 24)] {
            #expect(try await world.client(1).send(.get, "/v1/events/\(id)").status == .gone, "\(id)")
        }
    }

    @Test(arguments: [
        ("date=today", "date"), ("date=2025-02-30", "date"), ("from=1", "from"), ("to=x", "to"),
        ("date=2025-06-01&from=2025-06-01", "date"), ("from=2025-06-02&to=2025-06-01", "from"), ("fee=cheap", "fee"),
        ("latitude=37", "longitude"), ("maxDistance=5", "longitude"), ("latitude=91&longitude=0", "latitude"),
        ("latitude=37&longitude=127&maxDistance=-1", "maxDistance"),
        ("latitude=37&longitude=127&maxDistance=1e9", "maxDistance"),
        ("latitude=37&longitude=127&maxDistance=nan", "maxDistance"), ("limit=51", "limit"), ("limit=0", "limit"),
        ("next=junk", "next"), ("title=%00", "character"), ("district=%00", "character"),
    ])
    func invalidQuery_returns400WithField(query: String, field: String) async throws {
        let answer = try await world.client(1).send(.get, "/v1/events?\(query)")
        #expect(answer.status == .badRequest)
        #expect(answer.text.contains(field), "\(answer.text)")
    }

    @Test func pages_duringRefresh_stayStable() async throws {
        func events(_ numbers: ClosedRange<Int>) -> [CulturalEvent] {
            numbers.map { .fixture("전시 \($0)", [.start: "2025-05-0\($0 % 3 + 1)"]) }
        }
        try await CalendarDataset.fill(events(1...13))
        let all = try await search("?limit=50").data.map(\.title)
        #expect(Set(all).count == 13)
        let first = try await search("?limit=5")
        #expect(first.data.map(\.title) == Array(all[..<5]))
        try await CalendarDataset.fill(events(1...20))
        try await CalendarDataset.fill(events(1...13))
        let second = try await search("?limit=5&next=\(first.nextCursor)")
        #expect(second.data.map(\.title) == Array(all[5..<10]))
        let end = try await search("?limit=5&next=\(second.nextCursor)")
        #expect(end.data.map(\.title) == Array(all[10...]) && end.nextCursor == "0")
    }

    @Test func favorites_areSharedWithLikedPosts() async throws {
        try await CalendarDataset.fill(Self.events)
        let event = Self.events[0]
        let path = "/v1/events/\(event.id)/favorite"
        for _ in 0..<2 {
            let answer = try await world.client(1).send(.put, path)
            #expect(answer.status == .ok && answer.text.contains(#""isFavorite":true"#))
        }
        // The older client finds the like as if it had created it.
        let product = "광화문".encoded + CommunityWorld.publicID(1)
        let posts = try await world.cultureList("?product_id=\(product)").data
        #expect(posts.count == 1 && posts[0].content == event.favouriteContent && posts[0].title == "광화문")
        #expect(try await world.likeEvent(event).json(CulturePostAnswer.self).postID == posts[0].postID)
        #expect(try await search("").data.map(\.isFavorite) == [false, false, true])
        #expect(try await search("", by: 2).data.map(\.isFavorite) == [false, false, false])
        // Likes that the older client adds and removes appear here.
        let other = try await world.likeEvent(Self.events[1]).json(CulturePostAnswer.self)
        let liked = try await search("/favorites")
        #expect(liked.data.map(\.title) == ["상계", "광화문"] && liked.data.allSatisfy(\.isFavorite))
        _ = try await world.client(1).send(.delete, "/v1/posts/\(other.postID)")
        for _ in 0..<2 { #expect(try await world.client(1).send(.delete, path).status == .ok) }
        #expect(try await search("/favorites") == .init(data: [], nextCursor: "0"))
        #expect(try await world.count("favourites") == 0)

        let unknown = "/v1/events/\(String(repeating: "0", count: 24))/favorite"
        #expect(try await world.client(1).send(.put, unknown).status == .gone)
        #expect(try await world.client(1).send(.delete, unknown).status == .ok)
        #expect(try await world.client(1).send(.delete, "/v1/events/junk/favorite").status == .gone)
    }

    @Test func favorite_ofRemovedEvent_stays() async throws {
        try await CalendarDataset.fill(Self.events)
        for event in Self.events { _ = try await world.client(1).send(.put, "/v1/events/\(event.id)/favorite") }
        try await CalendarDataset.fill([Self.events[2]])
        let first = try await search("/favorites?limit=2")
        #expect(first.data.map(\.title) == ["어딘가", "상계"])
        let rest = try await search("/favorites?limit=2&next=\(first.nextCursor)")
        #expect(rest.data.map(\.eventID) == [Self.events[0].id.rawValue] && rest.nextCursor == "0")
        #expect(rest.data[0].latitude == 37.5759 && rest.data[0].startDate == "2025-06-01")
        let path = "/v1/events/\(Self.events[0].id)"
        #expect(try await world.client(1).send(.get, path).status == .gone)
        #expect(try await world.client(1).send(.delete, "\(path)/favorite").status == .ok)
        #expect(try await search("/favorites").data.map(\.title) == ["어딘가", "상계"])
    }
}
