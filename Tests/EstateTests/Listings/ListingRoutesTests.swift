import Apps
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing
import Values

@testable import Estate

@Suite(.database(Migrations.all), .service) struct ListingRoutesTests {
    private var world: EstateWorld { .current }

    @Test func newListing_isShownWithAllMembers() async throws {
        let made = try await world.client(9).send(.post, "/v1/estates", json: EstateBody().text)
        #expect(made.status == .ok, "\(made.text)")
        let own = try made.json(EstateAnswer.self)
        #expect(own.creator?.userID == EstateWorld.publicID(9))
        #expect(own.creator?.nick == "중개사")
        #expect(own.geolocation == .init(longitude: 127.045432, latitude: 37.652258))
        #expect(own.comments == [])
        #expect(own.builtYear == "2018-05-01")
        #expect(own.options?.refrigerator == true && own.options?.washer == false)
        #expect((own.isLiked, own.isReserved, own.likeCount) == (false, false, 0))
        #expect(own.createdAtToo == own.createdAt && own.updatedAtToo == own.updatedAt)
        #expect(own.createdAt.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)

        var seen = try await world.client(1).send(.get, "/v1/estates/\(own.estateID)").json(EstateAnswer.self)
        let shift = seen.geolocation.coordinate.distance(to: own.geolocation.coordinate)
        #expect((30...80).contains(shift))
        seen.geolocation = own.geolocation
        #expect(seen == own)
    }

    @Test func missingListing_returns404() async throws {
        for id in ["aaaaaaaaaaaaaaaaaaaaaaaa", "1", "%00", "AAAAAAAAAAAAAAAAAAAAAAAA"] {
            let answer = try await world.client(1).send(.get, "/v1/estates/\(id)")
            #expect(answer.status == .notFound, "\(id)")
        }
    }

    @Test func repeatedRequest_createsOneListing() async throws {
        let key: HTTPFields = [try #require(HTTPField.Name("Idempotency-Key")): "a"]
        let first = try await world.client(9).send(.post, "/v1/estates", json: EstateBody().text, headers: key)
        let again = try await world.client(9).send(.post, "/v1/estates", json: EstateBody().text, headers: key)
        let other = try await world.client(1).send(.post, "/v1/estates", json: EstateBody().text, headers: key)
        #expect(try first.json(EstateAnswer.self) == again.json(EstateAnswer.self))
        let ids = (try first.json(EstateAnswer.self).estateID, try other.json(EstateAnswer.self).estateID)
        #expect(ids.0 != ids.1)
    }

    @Test func unknownUser_whileAuthIsDown_gets503() async throws {
        let answer = try await world.client(77).send(.post, "/v1/estates", json: EstateBody().text)
        #expect(answer.status == .serviceUnavailable, "auth is not reachable")
    }

    @Test(arguments: [
        ("title", #""""#), ("title", #""\u0000""#), ("category", #"" ""#), ("deposit", "-1"),
        ("monthly_rent", "1000000000001"), ("area", "0"), ("area", #""NaN""#), ("area", "1e9"), ("floors", "1.5"),
        ("built_year", #""2018-02-30""#), ("built_year", #""""#), ("longitude", "180.1"), ("latitude", "-91"),
        ("latitude", "null"), ("thumbnails", #"["a","b","c","d","e","f","g","h","i","j","k"]"#),
        ("reservation_price", "99999999999999999999"), ("parking_count", "-1"), ("is_safe_estate", "1"),
    ])
    func invalidListing_returns400WithField(field: String, value: String) async throws {
        let good = EstateBody().text
        let pattern = try Regex("\"\(field)\":(\\[[^\\]]*\\]|\"[^\"]*\"|[^,}]*)")
        let bad = good.replacing(pattern) { _ in "\"\(field)\":\(value)" }
        let answer = try await world.client(9).send(.post, "/v1/estates", json: bad)
        #expect(answer.status == .badRequest)
        #expect(answer.text.contains(field) || answer.text.contains("number"), "\(answer.text)")
        let count = try await world.database.one("SELECT count(*) FROM listings") { try $0.decode(Int.self) }
        #expect(count == 0)
    }

    @Test func batch_keepsRequestedOrder() async throws {
        let (first, second) = (try await world.list(), try await world.list())
        let ids = [second, "bbbbbbbbbbbbbbbbbbbbbbbb", "x", first]
        let body = #"{"estate_ids":["\#(ids.joined(separator: #"",""#))"]}"#
        let answer = try await world.client(1).send(.post, "/v1/estates/batch", json: body)
        #expect(try answer.json(EstateAnswer.List.self).data.map(\.estateID) == [second, first])
        let tooMany = #"{"estate_ids":[\#(Array(repeating: #""a""#, count: 101).joined(separator: ","))]}"#
        #expect(try await world.client(1).send(.post, "/v1/estates/batch", json: tooMany).status == .badRequest)
    }
}
