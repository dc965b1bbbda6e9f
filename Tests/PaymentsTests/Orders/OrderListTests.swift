import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Synchronization
import TestKit
import Testing

@testable import Payments

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct OrderListTests {
    private var world: PaymentsWorld { .current }

    struct List: Decodable {
        var data: [Item]
        var nextCursor: String

        struct Item: Decodable {
            var orderCode: String
            var estate: Estate
            var paidAt: String
        }

        struct Estate: Decodable {
            var id: String
            var title: String
            var geolocation: Place
        }

        struct Place: Decodable {
            var longitude: Double
            var latitude: Double
        }
    }

    private func list(_ query: String = "", by account: AccountID = 1) async throws -> List {
        let answer = try await world.client(account).send(.get, "/v1/orders\(query)")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(List.self, from: Data(answer.body.readableBytesView))
    }

    @Test func paidOrders_areListedNewestFirst() async throws {
        var codes: [String] = []
        for _ in 0..<3 {
            let code = try await world.order()
            #expect(try await world.validate(world.pay(code)).status == .ok)
            codes.append(code)
        }
        _ = try await world.order()
        let all = try await list()
        #expect(all.data.map(\.orderCode) == codes.reversed() && all.nextCursor == "0")
        #expect(try await list(by: 2).data.isEmpty)
        let first = try await list("?limit=2")
        #expect(first.data.map(\.orderCode) == [codes[2], codes[1]])
        let rest = try await list("?limit=2&next=\(first.nextCursor)")
        #expect(rest.data.map(\.orderCode) == [codes[0]] && rest.nextCursor == "0")
        for query in ["?limit=0", "?limit=51", "?limit=x", "?next=x"] {
            #expect(try await world.client(1).send(.get, "/v1/orders\(query)").status == .badRequest)
        }
    }

    /// The list shows the listing's current state from estate, or the ordered snapshot if estate has none.
    @Test func orderList_showsCurrentListing() async throws {
        let listing = world.list()
        let code = try await world.place(listing).json(OrderAnswer.self).orderCode
        _ = try await world.validate(world.pay(code))
        world.stubs.state.withLock {
            $0.listings[listing]?.title = "새 제목"
            $0.listings[listing]?.latitude = 37.6512
        }
        let now = try await list().data[0].estate
        #expect(now.title == "새 제목" && now.geolocation.latitude == 37.6512 && now.id == listing)
        world.stubs.state.withLock { $0.listings[listing] = nil }
        #expect(try await list().data[0].estate.title == "햇살이 드는 원룸")
        world.stubs.state.withLock { $0.isEstateAway = true }
        #expect(try await list().data[0].estate.title == "햇살이 드는 원룸")
    }
}
