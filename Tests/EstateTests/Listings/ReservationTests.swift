import Apps
import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import Synchronization
import TestKit
import Testing
import Values

@testable import Estate

/// Reservations by events of payments, and what each user sees of them.
@Suite(.database(Migrations.all)) struct ReservationTests {
    private var world: EstateWorld { .current }
    private static let noon = Date(timeIntervalSince1970: 1_800_000_000)

    private func deliver(
        _ listing: String,
        _ state: PaymentsEvents.ReservationChanged.State,
        order: String = "o1",
        by account: AccountID = 1,
        id: UUID = UUID(),
        returns status: Int = 204
    ) async throws {
        let event = PaymentsEvents.ReservationChanged(
            listing: "\(listing)",
            account: account,
            order: order,
            state: state
        )
        #expect(try await world.deliver(event, id: id) == status)
    }

    private func isReserved(_ id: String, for account: AccountID) async throws -> Bool? {
        try await world.client(account).send(.get, "/v1/estates/\(id)").json(EstateAnswer.self).isReserved
    }

    private func expect(_ id: String, isReserved: Bool, _ place: SourceLocation = #_sourceLocation) async throws {
        for account in [1, 2, 9] as [AccountID] {
            let answer = try await self.isReserved(id, for: account)
            #expect(answer == isReserved, "\(account)", sourceLocation: place)
        }
        let view = try await world.view([id]).first
        #expect(view?.isReserved == isReserved, sourceLocation: place)
    }

    /// The positions of a listing that an account sees in the detail, the batch, the list and the internal view.
    private func places(_ id: String, for account: AccountID) async throws -> [Coordinate] {
        let client = world.client(account)
        let detail = try await client.send(.get, "/v1/estates/\(id)").json(EstateAnswer.self)
        let batch = try await client.send(.post, "/v1/estates/batch", json: #"{"estate_ids":["\#(id)"]}"#)
        let query = "longitude=127.045432&latitude=37.652258&maxDistance=500"
        let near = try await client.send(.get, "/v1/estates/geolocation?\(query)")
        let view = try await world.view([id], viewer: account).map {
            Coordinate(latitude: $0.latitude, longitude: $0.longitude)
        }
        let lists = try batch.json(EstateAnswer.List.self).data + near.json(EstateAnswer.List.self).data
        return ([detail] + lists).map(\.geolocation.coordinate) + view
    }

    @Test(.service(at: "2027-01-15T08:00:00Z")) func heldListing_isReservedUntilHoldEnds() async throws {
        let id = try await world.list()
        try await expect(id, isReserved: false)
        try await deliver(id, .held(until: Self.noon + 600))
        world.clock.advance(by: 599)
        try await expect(id, isReserved: true)
        let known = try await places(id, for: 1)
        #expect(!known.contains(Coordinate(latitude: 37.652258, longitude: 127.045432)))
        world.clock.advance(by: 1)
        try await expect(id, isReserved: false)
        try await deliver(id, .held(until: Self.noon + 1200))
        try await expect(id, isReserved: true)
    }

    @Test(.service) func exactPosition_isShownToPayerAndOwnerOnly() async throws {
        let id = try await world.list()
        let exact = Coordinate(latitude: 37.652258, longitude: 127.045432)
        let (before, others) = (try await places(id, for: 1), try await places(id, for: 2))
        #expect(before.count == 4 && Set(before.map(\.latitude)).count == 1 && before == others)
        #expect((30...80).contains(before[0].distance(to: exact)))
        try await deliver(id, .held(until: .now + 600))
        try await deliver(id, .paid)
        try await expect(id, isReserved: true)
        #expect(try await places(id, for: 1) == Array(repeating: exact, count: 4))
        #expect(try await places(id, for: 9) == Array(repeating: exact, count: 4))
        #expect(try await places(id, for: 2) == others)
        let anonymous = try await world.view([id]).first
        #expect(anonymous?.latitude == before[0].latitude)
        try await deliver(id, .released)
        try await expect(id, isReserved: false)
        #expect(try await places(id, for: 1) == before)
    }

    @Test(.service) func distanceForOthers_afterPayment_staysTheSame() async throws {
        let id = try await world.list()
        let path = "/v1/estates/geolocation?longitude=127.045432&latitude=37.652258&maxDistance=500"
        let before = try await world.client(2).send(.get, path).json(EstateAnswer.List.self).data.map(\.distance)
        try await deliver(id, .paid)
        let after = try await world.client(2).send(.get, path).json(EstateAnswer.List.self).data.map(\.distance)
        #expect(before == after && before.count == 1)
    }

    @Test(.service) func repeatedEvent_takesEffectOnce() async throws {
        let id = try await world.list()
        let (held, paid) = (UUID(), UUID())
        for _ in 0..<2 {
            try await deliver(id, .held(until: .now + 600), id: held)
            try await deliver(id, .paid, id: paid)
            try await deliver(id, .paid)
            try await expect(id, isReserved: true)
        }
        for _ in 0..<2 { try await deliver(id, .released) }
        try await deliver(id, .paid, id: paid)
        try await expect(id, isReserved: false)
    }

    @Test(.service) func staleEvent_changesNothing() async throws {
        let id = try await world.list()
        try await deliver(id, .paid)
        try await deliver(id, .held(until: .now - 1))
        try await expect(id, isReserved: true)
        try await deliver(id, .released)
        try await deliver(id, .paid)
        try await deliver(id, .held(until: .now + 600))
        try await expect(id, isReserved: false)
        try await deliver(id, .released, order: "o2", by: 2)
        try await deliver(id, .paid, order: "o2", by: 2)
        try await expect(id, isReserved: false)
    }

    @Test(.service) func orders_holdIndependently() async throws {
        let id = try await world.list()
        try await deliver(id, .held(until: .now + 600), order: "o1", by: 1)
        try await deliver(id, .held(until: .now + 600), order: "o2", by: 2)
        try await deliver(id, .released, order: "o1", by: 1)
        try await expect(id, isReserved: true)
        try await deliver(id, .paid, order: "o2", by: 2)
        let places = (try await places(id, for: 1), try await places(id, for: 2))
        #expect(places.0[0] != places.1[0])
        #expect(places.1[0] == Coordinate(latitude: 37.652258, longitude: 127.045432))
        try await deliver(id, .released, order: "o2", by: 2)
        try await expect(id, isReserved: false)
    }

    @Test(.service) func event_forMissingListing_keepsNothing() async throws {
        // The last two texts are no ids.
        for (listing, status) in [("bbbbbbbbbbbbbbbbbbbbbbbb", 204), ("", 422), ("x", 422)] {
            try await deliver(listing, .held(until: .now + 600), returns: status)
            try await deliver(listing, .paid, returns: status)
            try await deliver(listing, .released, returns: status)
        }
        let count = try await world.database.one("SELECT count(*) FROM reservations") { try $0.decode(Int.self) }
        #expect(count == 0)
    }

    @Test(.service) func event_fromOtherSender_isRefused() async throws {
        let id = try await world.list()
        let json = #"{"id":"\#(UUID())","name":"payments.reservation-changed","body":{}}"#
        let other = try await ServiceClient(world.client, to: .estate, process: .auth).send(
            .post,
            "/internal/events",
            json: json
        )
        #expect(other.status == .forbidden)
        let refused = try await world.client(1).send(.post, "/internal/events", json: json)
        #expect(refused.status.code == 444)
        try await expect(id, isReserved: false)
    }
}
