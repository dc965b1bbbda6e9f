import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Estate

/// Listings as other services read them.
@Suite(.database(Migrations.all), .service) struct ListingViewTests {
    private var world: EstateWorld { .current }

    @Test func internalView_equalsViewOfViewer() async throws {
        let id = try await world.list()
        let shown = try await world.client(1).send(.get, "/v1/estates/\(id)").json(EstateAnswer.self)
        for viewer in [nil, 1, 77] as [AccountID?] {
            let view = try #require(try await world.view([id], viewer: viewer).first)
            #expect((view.latitude, view.longitude) == (shown.geolocation.latitude, shown.geolocation.longitude))
        }
        let own = try #require(try await world.view([id], viewer: 9).first)
        #expect((own.latitude, own.longitude) == (37.652258, 127.045432))
        let body = EstateBody()
        #expect((own.id.rawValue, own.category, own.title) == (id, body.category, body.title))
        #expect((own.introduction, own.thumbnails) == (body.introduction, []))
        #expect((own.reservationPrice, own.deposit, own.monthlyRent) == (100_000, 10_000_000, 550_000))
        #expect((own.builtYear, own.area, own.floors) == ("2018-05-01", 24.5, 3))
        #expect(own.creator == EstateAPI.Creator(account: 9, publicID: "\(EstateWorld.publicID(9))"))
        #expect(own.isReserved == false)
        let createdAt = try await world.database.one(
            "SELECT round(extract(epoch FROM created_at) * 1000)::bigint FROM listings"
        ) { try $0.decode(Int64.self) }
        #expect(Int64((own.createdAt.timeIntervalSince1970 * 1000).rounded()) == createdAt)
        #expect(own.updatedAt == own.createdAt)
    }

    @Test func internalViews_keepRequestedOrder() async throws {
        let (first, second) = (try await world.list(), try await world.list())
        let ids = [second, "bbbbbbbbbbbbbbbbbbbbbbbb", "x", first]
        #expect(try await world.view(ids).map(\.id.rawValue) == [second, first])
        #expect(try await world.view([]).isEmpty)
        let hundred = [first] + Array(repeating: "bbbbbbbbbbbbbbbbbbbbbbbb", count: 99)
        #expect(try await world.view(hundred).map(\.id.rawValue) == [first])
    }

    @Test(arguments: [
        "", "?viewer=1", "?ids=a&viewer=x", "?ids=a&viewer=0", "?ids=a&viewer=-1", "?ids=a&viewer=",
        "?ids=a&viewer=1.5",
        "?ids=a&viewer=99999999999999999999", "?ids=\(Array(repeating: "a", count: 101).joined(separator: ","))",
    ])
    func invalidQuery_returns400(query: String) async throws {
        let answer = try await world.payments.send(.get, "/internal/listings\(query)")
        #expect(answer.status == .badRequest, "\(answer.text)")
    }

    @Test func internalViews_byClient_areRefused() async throws {
        let path = EstateAPI.Listings.path([PublicID(unchecked: try await world.list())], viewer: 9)
        for client in [
            world.client(9), ServiceClient(world.client, to: .estate, app: .anlaka),
            ServiceClient(world.client, to: .estate, app: .moup, account: 9),
        ] {
            let answer = try await client.send(.get, path)
            #expect([404, 444].contains(answer.status.code), "\(answer.status)")
        }
        let stranger = try await world.client.execute(uri: path, method: .get, headers: [:], body: nil) { $0 }
        #expect(stranger.status == .forbidden)
    }
}
