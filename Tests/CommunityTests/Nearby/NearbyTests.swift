import Apps
import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import Profiles
import ServiceKit
import TestKit
import Testing
import Values

@testable import Community

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .anlaka) struct NearbyTests {
    private var world: CommunityWorld { .current }

    @Test func nearby_showsPostsInCircleInOrder() async throws {
        let home = CommunityWorld.home
        let near = try await world.post("가까이", at: home.moved(4990, bearing: 70))
        _ = try await world.post("멀리", at: home.moved(5010, bearing: 70))
        let here = try await world.post("여기", of: "정보", at: home)
        try await world.like(near, by: 2)
        try await LikeCounts.posts.addUp(olderThan: 0, in: world.database)
        #expect(try await world.nearby("").data.map(\.postID) == [here, near])
        #expect(try await world.nearby("&maxDistance=4980").data.map(\.postID) == [here])
        #expect(try await world.nearby("&maxDistance=0").data.map(\.postID) == [here])
        #expect(try await world.nearby("&maxDistance=20000000").data.count == 3)
        #expect(try await world.nearby("&category=%EC%A0%95%EB%B3%B4").data.map(\.postID) == [here])
        #expect(try await world.nearby("&category=x").data == [])
        for name in ["order", "order_by"] {
            #expect(try await world.nearby("&\(name)=likes").data.map(\.postID) == [near, here])
            #expect(try await world.nearby("&\(name)=createdAt").data.map(\.postID) == [here, near])
        }
        let list = try await world.nearby("&category=&order=&next=&limit=")
        #expect(list.data.map(\.postID) == [here, near] && list.nextCursor == "0")
        #expect(list.data.allSatisfy { $0.comments == nil })
        // The author moves the post elsewhere.
        let body = #"{"longitude":-70,"latitude":-33}"#
        #expect(try await world.client(1).send(.put, "/v1/posts/\(here)", json: body).status == .ok)
        #expect(try await world.nearby("").data.map(\.postID) == [near])
    }

    @Test(arguments: [
        ("longitude", "latitude=37"), ("latitude", "longitude=127"), ("longitude", "longitude=181&latitude=0"),
        ("latitude", "longitude=0&latitude=-90.5"), ("latitude", "longitude=0&latitude=nan"),
        ("longitude", "longitude=x&latitude=0"), ("maxDistance", "longitude=0&latitude=0&maxDistance=-1"),
        ("maxDistance", "longitude=0&latitude=0&maxDistance=20000001"),
        ("maxDistance", "longitude=0&latitude=0&maxDistance=inf"), ("order", "longitude=0&latitude=0&order=price"),
        ("order", "longitude=0&latitude=0&order_by=Likes"), ("limit", "longitude=0&latitude=0&limit=0"),
        ("limit", "longitude=0&latitude=0&limit=51"), ("next", "longitude=0&latitude=0&next=x"),
        ("next", "longitude=0&latitude=0&next=1-1-1"), ("next", "longitude=0&latitude=0&next=1-1&order=likes"),
        ("next", "longitude=0&latitude=0&next=zzzzzzzzzzzz-zzzzzzzzzzz"),
        ("category", "longitude=0&latitude=0&category=%00"),
    ])
    func invalidQuery_returns400WithField(field: String, query: String) async throws {
        let answer = try await world.client(1).send(.get, "/v1/posts/geolocation?\(query)")
        #expect(answer.status == .badRequest && answer.text.contains(field), "\(answer.text)")
    }

    /// A city, a country and the other side of the globe, many at the same instant and with as many likes: every page
    /// equals the slice of all sorted posts.
    @Test func pages_equalSlicesOfSortedList() async throws {
        try await world.settle(3000)
        let posts = try await world.settled()
        for circle in [
            Circle(centre: CommunityWorld.home, radius: 1500), Circle(centre: CommunityWorld.home, radius: 9000),
            Circle(centre: CommunityWorld.home.moved(25_000, bearing: 45), radius: 24_000),
            Circle(centre: CommunityWorld.home, radius: 150_000),
            Circle(centre: Coordinate(latitude: 0, longitude: 180), radius: 9_000_000),
            Circle(centre: Coordinate(latitude: -40, longitude: -20), radius: 19_000_000),
        ] {
            for (order, category) in [(NearbyOrder.newest, nil), (.likes, nil), (.newest, "동물"), (.likes, "동물")] {
                let expected = posts.filter {
                    circle.centre.distance(to: $0.place) <= circle.radius
                        && (category == nil || $0.category == category)
                }.sorted { order == .likes && $0.likes != $1.likes ? $0.likes > $1.likes : $0.id > $1.id }.map(\.id)
                var query = NearbyQuery(circle: circle, category: category, order: order, cursor: nil, limit: 7)
                var found: [PostID] = []
                for _ in 0..<min(expected.count / 7 + 1, 30) {
                    let page = try await world.domain.posts.nearby(query, for: 2)
                    found += page.items.map(\.id)
                    query.cursor = page.next
                    if page.next == .end { break }
                }
                #expect(found == Array(expected.prefix(found.count)), "\(circle) \(order) \(category ?? "")")
                #expect(found.count == min(expected.count, 210))
                // The last page of the list.
                guard let last = expected.last, let post = posts.first(where: { $0.id == last }) else { continue }
                let rank = order == .likes ? Int64(post.likes) : nil
                query.cursor = PageCursor(rank: rank, CommunityWorld.instant, last.rawValue + 1)
                let end = try await world.domain.posts.nearby(query, for: 2)
                #expect(end.items.map(\.id) == [last] && end.next == .end)
            }
        }
    }

    /// Cells that are full of newer posts outside of the circle.
    @Test func nearby_besideCrowdedCells_missesNoPost() async throws {
        let home = CommunityWorld.home
        let hidden = try await world.post("뒤", at: home.moved(29_990, bearing: 90))
        try await world.crowd(3000, at: home.moved(30_500, bearing: 90))
        let some = try await world.post("앞", at: home)
        #expect(try await world.nearby("&maxDistance=30000").data.map(\.postID) == [some, hidden])
        #expect(try await world.nearby("&maxDistance=30000&limit=1").data.map(\.postID) == [some])
        #expect(try await world.nearby("&maxDistance=30000&order=likes").data.map(\.postID) == [some, hidden])
        #expect(try await world.nearby("&maxDistance=31000&limit=50").data.count == 50)
    }

    @Test func pages_duringInsertsAndDeletions_stayStable() async throws {
        var ids: [String] = []
        for number in 0..<9 { ids.append(try await world.post("\(number)")) }
        for order in ["createdAt", "likes"] {
            let first = try await world.nearby("&limit=4&order=\(order)")
            let new = try await world.post("새")
            try await world.like(new, by: 1)
            _ = try await world.client(1).send(.delete, "/v1/posts/\(first.data.last?.postID ?? "")")
            let second = try await world.nearby("&limit=50&order=\(order)&next=\(first.nextCursor ?? "")")
            #expect(second.nextCursor == "0")
            let seen = (first.data + second.data).map(\.postID)
            #expect(seen == ids.reversed())
            _ = try await world.client(1).send(.delete, "/v1/posts/\(new)")
            ids.removeAll { $0 == first.data.last?.postID }
        }
        #expect(try await world.nearby("&next=0").data == [])
    }

    /// A page of a city with many posts in each cell.
    @Test func nearbyQueries_useIndexes() async throws {
        try await world.town(6000)
        let circle = Circle(centre: CommunityWorld.home, radius: 5000)
        for (order, category) in [(NearbyOrder.newest, nil), (.likes, nil), (.newest, "동물"), (.likes, "동물")] {
            let cursor = PageCursor(rank: order == .likes ? 3 : nil, CommunityWorld.instant + 180_000, 3000)
            let query = NearbyQuery(circle: circle, category: category, order: order, cursor: cursor, limit: 6)
            for level in GridLevel.allCases {
                let (inside, rim) = circle.cells(level)
                let kind = order == .likes ? "likes" : "newest"
                let name = "posts_\(category == nil ? "" : "category_")cell\(level.rawValue)_\(kind)_idx"
                let page = try await CommunityWorld.plan(PostStore.nearby(query, level, inside: inside, rim: rim))
                #expect(
                    page.contains("Index Only Scan using \(name)") && !page.contains("Seq Scan on posts"),
                    "\(page)"
                )
                guard level.finer != nil else { continue }
                let crowded = try await CommunityWorld.plan(PostStore.crowded(query, level, rim, before: nil))
                #expect(crowded.contains(name) && !crowded.contains("Seq Scan on posts"), "\(crowded)")
            }
        }
    }
}
