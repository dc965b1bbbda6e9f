import HTTPTypes
import HummingbirdTesting
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import Estate

@Suite(.database(Migrations.all), .timeLimit(.minutes(2))) struct PlaceRoutesTests {
    private var world: PlaceWorld { .current }

    @Test(.places) func search_returnsAddressesBeforePlaces() async throws {
        let lot = try await world.search("  노원구  상계동 123-4 ").json(PlaceWorld.Page.self)
        let first = try #require(lot.data.first)
        #expect((first.kind, first.region) == (.address, "상계동"))
        #expect(first.title == "서울 노원구 상계동 123-4" && first.subtitle == "서울 노원구 상계로 123-4")
        let both = try await world.search("상계동").json(PlaceWorld.Page.self)
        #expect(both.data.map(\.kind).prefix(2) == [.address, .place])
        #expect(both.data[1].title == "상계동주민센터" && both.data[1].region == "상계동")
        #expect(both.data[1].subtitle.hasPrefix("서울 노원구 상계동 "))
        #expect(both.isEnd)
        let calls = try await world.calls()
        #expect(calls.count == 4)
        #expect(calls.allSatisfy { $0.contains("page=1&") && $0.contains("size=15") })
    }

    @Test(.places) func pages_haveAtMostThirtyAndNoDuplicates() async throws {
        var titles: [String] = []
        for page in 1...45 {
            let answer = try await world.search("서울 100", page: "\(page)").json(PlaceWorld.Page.self)
            #expect(answer.data.count <= 30)
            titles += answer.data.map { "\($0.title) \($0.longitude) \($0.latitude)" }
            if answer.isEnd { break }
        }
        #expect(titles.count > 60 && Set(titles).count == titles.count)
        let beyond = try await world.search("서울 100", page: "45").json(PlaceWorld.Page.self)
        #expect(beyond == PlaceWorld.Page(data: [], isEnd: true))
        let nothing = try await world.search("어디에도없는곳").json(PlaceWorld.Page.self)
        #expect(nothing == PlaceWorld.Page(data: [], isEnd: true))
    }

    @Test(.places { ($0.placesPerAccount, $0.placesPerDay) = (4, 7) })
    func searches_beyondDailyBudget_return429UnlessCached() async throws {
        for query in ["상계동", "공릉동"] { #expect(try await world.search(query).status == .ok) }
        let refused = try await world.search("중계동")
        #expect(refused.status == .tooManyRequests && refused.headers[.retryAfter] != nil)
        #expect(try await world.search("상계동").status == .ok, "a cached response costs nothing")
        // Another account has a budget of its own, and all together have one.
        func search(_ query: String) async throws -> HTTPResponse.Status {
            let path = "/v1/places/search?query=\(PlaceWorld.encoded(query))"
            return try await world.estate.client(2).send(.get, path).status
        }
        #expect(try await search("중계동") == .ok)
        #expect(try await search("하계동") == .tooManyRequests)
        #expect(try await world.calls().count <= 7)
    }

    @Test(
        .service,
        arguments: [
            "", "query=", "query=%20%09", "query=%00", "query=a&page=0", "query=a&page=46", "query=a&page=x",
            "query=a&page=",
            "query=\(String(repeating: "a", count: 101))",
        ]
    )
    func invalidSearch_returns400(query: String) async throws {
        let answer = try await EstateWorld.current.client(1).send(.get, "/v1/places/search?\(query)")
        #expect(answer.status == .badRequest)
        #expect(answer.text.contains("query") || answer.text.contains("page"), "\(answer.text)")
    }

    @Test(.service, arguments: ["", "longitude=127", "longitude=181&latitude=37", "longitude=127&latitude=x"])
    func invalidCoordinates_return400(query: String) async throws {
        let answer = try await EstateWorld.current.client(1).send(.get, "/v1/places/reverse?\(query)")
        #expect(answer.status == .badRequest)
    }

    @Test(.places) func reverse_returnsNameOr404() async throws {
        var hasRoad: Set<Bool> = []
        for step in 0..<10 {
            let answer = try await world.name(127.0601 + Double(step) / 10_000, 37.6561).json(PlaceWorld.Name.self)
            #expect(answer.region.hasSuffix("동") && answer.latitude == 37.6561)
            hasRoad.insert(answer.subtitle != nil)
            if let lot = answer.subtitle { #expect(lot.contains("동 ") && answer.title.contains("로 ")) }
            if answer.subtitle == nil { #expect(answer.title.contains("동 ")) }
        }
        #expect(hasRoad == [true, false])
        let sea = try await world.name(125, 36)
        #expect(sea.status == .notFound)
        let again = try await world.name(125, 36)
        #expect(again.status == .notFound)
        #expect(try await world.calls().count == 11)
    }

    @Test(.places) func cachedAnswer_avoidsCallsToKakao() async throws {
        let first = try await world.search("Cafe 상계").json(PlaceWorld.Page.self)
        for spelling in ["cafe 상계", " CAFE  상계 ", "cafe \u{1109}\u{1161}\u{11BC}\u{1100}\u{1168}"] {
            let again = try await world.search(spelling).json(PlaceWorld.Page.self)
            #expect(again == first)
        }
        _ = try await world.name(127.06561, 37.65611)
        _ = try await world.name(127.06564, 37.65609)
        #expect(try await world.calls().count == 3)
        world.estate.clock.advance(by: 6.9 * 86_400)
        _ = try await world.search("cafe 상계")
        #expect(try await world.calls().count == 3)
        world.estate.clock.advance(by: 0.2 * 86_400)
        _ = try await world.search("cafe 상계")
        _ = try await world.name(127.0656, 37.6561)
        #expect(try await world.calls().count == 5)
        world.estate.clock.advance(by: 24 * 86_400)
        _ = try await world.name(127.0656, 37.6561)
        #expect(try await world.calls().count == 6)
    }

    @Test(.places, arguments: [("http", 500), ("http", 429), ("http", 401), ("http", 400), ("timeout", 0)])
    func staleAnswer_duringOutage_isServed(kind: String, status: Int) async throws {
        let answer = try await world.search("상계동").json(PlaceWorld.Page.self)
        let name = try await world.name(127.0656, 37.6561).json(PlaceWorld.Name.self)
        world.estate.clock.advance(by: 40 * 86_400)
        try await world.fail(kind, status: status)
        #expect(try await world.search("상계동").json(PlaceWorld.Page.self) == answer)
        #expect(try await world.name(127.0656, 37.6561).json(PlaceWorld.Name.self) == name)
        for refused in [try await world.search("상도동"), try await world.name(126.95, 37.5)] {
            #expect(refused.status == .serviceUnavailable)
            #expect(refused.headers[.retryAfter] != nil)
        }
        try await world.fail(count: 0)
        #expect(try await world.search("상도동").status == .ok)
    }

    @Test(.places) func failedKind_keepsResultsOfOther() async throws {
        try await world.fail(count: 1)
        let half = try await world.search("상계동").json(PlaceWorld.Page.self)
        #expect(Set(half.data.map(\.kind)).count == 1)
        #expect(!half.isEnd)
        let whole = try await world.search("상계동").json(PlaceWorld.Page.self)
        #expect(Set(whole.data.map(\.kind)).count == 2 && whole.isEnd)
        #expect(try await world.calls().count == 3)
    }

    @Test(.places { $0.kakaoKey = "another" }) func refusedKey_returns503() async throws {
        let answers = [try await world.search("상계동"), try await world.name(127, 37.5)]
        #expect(answers.map(\.status) == [.serviceUnavailable, .serviceUnavailable])
    }
}
