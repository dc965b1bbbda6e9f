import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Seats

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct FavoriteRoutesTests {
    private var world: SeatsWorld { .current }

    private struct FavoriteBody: Decodable, Equatable {
        var id: Int64
        var name: String
        var startStationId: Int64
        var startStationName: String
        var startline: String
        var endStationId: Int64
        var endStationName: String
        var endline: String
    }

    private struct PageBody: Decodable {
        var favoriteInfoList: [FavoriteBody]
        var nextCursor: Int64
        var last: Bool
    }

    private func json(_ start: Int64, _ end: Int64, _ name: String = "출근") -> String {
        #"{"name":"\#(name)","startStationId":\#(start),"endStationId":\#(end)}"#
    }

    private func add(_ account: AccountID, _ start: Int64, _ end: Int64) async throws
        -> FavoriteBody
    {
        try await world.client(account).send(.post, "/favorites", json: json(start, end)).json(FavoriteBody.self)
    }

    private func page(_ query: String = "") async throws -> PageBody {
        try await world.client(1).send(.get, "/favorites\(query)").json(PageBody.self)
    }

    @Test(.service) func repeatedFavorite_isAddedOnce() async throws {
        let new = try await world.client(1).send(.post, "/favorites/", json: json(36, 51))
        #expect(new.status == .created)
        let favorite = try new.json(FavoriteBody.self)
        #expect(
            favorite
                == FavoriteBody(
                    id: favorite.id,
                    name: "출근",
                    startStationId: 36,
                    startStationName: "사당",
                    startline: "LINE_2",
                    endStationId: 51,
                    endStationName: "이대",
                    endline: "LINE_2"
                )
        )
        let again = try await world.client(1).send(.post, "/favorites", json: json(36, 51, "다른 이름"))
        #expect(again.status == .ok)
        #expect(try again.json(FavoriteBody.self) == favorite)
        #expect(try await world.client(1).send(.post, "/favorites", json: json(51, 36)).status == .created)
        #expect(try await world.client(2).send(.post, "/favorites", json: json(36, 51)).status == .created)
        let one = try await world.client(1).send(.get, "/favorites/\(favorite.id)")
        #expect(try one.json(FavoriteBody.self) == favorite)
    }

    @Test(.service) func favorites_arePagedNewestFirst() async throws {
        #expect(try await page().favoriteInfoList.isEmpty)
        var ids: [Int64] = []
        for end in Int64(12)...16 { ids.append(try await add(1, 11, end).id) }
        _ = try await add(2, 11, 12)
        let first = try await page("/?size=2")
        #expect(first.favoriteInfoList.map(\.id) == [ids[4], ids[3]])
        #expect(first.nextCursor == ids[3])
        #expect(!first.last)
        let second = try await page("?size=3&cursor=\(first.nextCursor)")
        #expect(second.favoriteInfoList.map(\.id) == [ids[2], ids[1], ids[0]])
        #expect(second.nextCursor == -1)
        #expect(second.last)
        #expect(try await page().favoriteInfoList.count == 5)
        #expect(try await page("?cursor=9223372036854775807").favoriteInfoList.count == 5)
    }

    @Test(.service, arguments: ["size=0", "size=-1", "size=101", "size=x", "size=99999999999999999999", "cursor=x"])
    func invalidPage_returns400(query: String) async throws {
        let answer = try await world.client(1).send(.get, "/favorites?\(query)")
        #expect(answer.summary == "400 BAD_REQUEST")
    }

    @Test(.service) func favorite_isUpdated() async throws {
        let favorite = try await add(1, 36, 51)
        let other = try await add(1, 36, 50)
        let changed = try await world.client(1).send(.put, "/favorites/\(favorite.id)", json: json(51, 36, "퇴근"))
        #expect(changed.status == .ok)
        let shown = try await world.client(1).send(.get, "/favorites/\(favorite.id)/").json(FavoriteBody.self)
        #expect(shown.name == "퇴근")
        #expect(shown.startStationId == 51)
        #expect(shown.id == favorite.id)
        let copy = try await world.client(1).send(.put, "/favorites/\(other.id)", json: json(51, 36))
        #expect(copy.summary == "409 FAVORITE_TAKEN")
        let renamed = try await world.client(1).send(.put, "/favorites/\(other.id)", json: json(36, 50, "학교"))
        #expect(try renamed.json(FavoriteBody.self).name == "학교")
    }

    @Test(.service) func favorite_isLimitedToOwner() async throws {
        let id = try await add(1, 36, 51).id
        let phone = world.client(2)
        #expect(try await phone.send(.get, "/favorites/\(id)").summary == "403 FAVORITE_FORBIDDEN")
        let put = try await phone.send(.put, "/favorites/\(id)", json: json(36, 50))
        #expect(put.summary == "403 FAVORITE_FORBIDDEN")
        #expect(try await phone.send(.delete, "/favorites/\(id)").summary == "403 FAVORITE_FORBIDDEN")
        #expect(try await world.client(1).send(.delete, "/favorites/\(id)").status == .noContent)
        for method in [HTTPRequest.Method.get, .put, .delete] {
            let gone = try await world.client(1).send(method, "/favorites/\(id)", json: json(36, 50))
            #expect(gone.summary == "404 FAVORITE_NOT_FOUND")
            let junk = try await world.client(1).send(method, "/favorites/x", json: json(36, 50))
            #expect(junk.summary == "400 BAD_REQUEST")
        }
    }

    @Test(.service) func favorites_areLimitedToFifty() async throws {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for end in Int64(12)...52 { group.addTask { try await self.status(11, end) } }
            for start in Int64(13)...26 { group.addTask { try await self.status(start, 12) } }
            let statuses = try await group.reduce(into: [Int]()) { $0.append($1) }
            #expect(statuses.count { $0 == 201 } == 50)
            #expect(statuses.count { $0 == 409 } == 5)
        }
        let page = try await page("?size=100")
        #expect(page.favoriteInfoList.count == 50)
        let known = try #require(page.favoriteInfoList.first)
        #expect(try await status(known.startStationId, known.endStationId) == 200)
    }

    @Test(.service(passengers: [:])) func concurrentRequests_addOneFavorite() async throws {
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<10 { group.addTask { try await self.status(36, 51) } }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses.sorted() == Array(repeating: 200, count: 9) + [201])
    }

    private func status(_ start: Int64, _ end: Int64) async throws -> Int {
        try await world.client(1).send(.post, "/favorites", json: json(start, end)).status.code
    }

    @Test(
        .service,
        arguments: [
            (#"{"name":"x","startStationId":36,"endStationId":999}"#, "404 SUBWAY_STATION_NOT_FOUND"),
            (#"{"name":"x","startStationId":-1,"endStationId":36}"#, "404 SUBWAY_STATION_NOT_FOUND"),
            (#"{"name":"x","startStationId":36,"endStationId":1}"#, "400 SUBWAY_LINE_MISMATCH"),
            (#"{"name":"x","startStationId":36,"endStationId":36}"#, "400 SUBWAY_LINE_MISMATCH"),
            (#"{"name":"","startStationId":36,"endStationId":51}"#, "400 VALIDATION_ERROR"),
            (#"{"name":" ","startStationId":36,"endStationId":51}"#, "400 VALIDATION_ERROR"),
            (#"{"name":"a\u0000","startStationId":36,"endStationId":51}"#, "400 VALIDATION_ERROR"),
            (
                #"{"name":"\#(String(repeating: "가", count: 51))","startStationId":36,"endStationId":51}"#,
                "400 VALIDATION_ERROR"
            ),
            (#"{"startStationId":36,"endStationId":51}"#, "400 VALIDATION_ERROR"),
            (#"{"name":"x","startStationId":36}"#, "400 VALIDATION_ERROR"),
            (#"{"name":"x","startStationId":"강남","endStationId":51}"#, "400 VALIDATION_ERROR"),
            (#"{"name":"x","startStationId":36,"endStationId":1e99}"#, "400 VALIDATION_ERROR"),
            ("{", "400 BAD_REQUEST"), ("", "400 BAD_REQUEST"),
        ]
    )
    func invalidFavorite_isRefused(body: String, summary: String) async throws {
        let id = try await add(1, 36, 50).id
        #expect(try await world.client(1).send(.post, "/favorites", json: body).summary == summary)
        #expect(try await world.client(1).send(.put, "/favorites/\(id)", json: body).summary == summary)
        #expect(try await page().favoriteInfoList.count == 1)
    }
}
