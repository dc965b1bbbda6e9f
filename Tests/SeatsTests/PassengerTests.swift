import Contracts
import Events
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Seats

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service(passengers: [:])) struct PassengerTests {
    private var world: SeatsWorld { .current }

    private func event<E: Event>(_ event: E, id: UUID = UUID()) throws -> String {
        let envelope = EventEnvelope(id: id, name: E.name, body: event)
        return String(decoding: try JSONEncoder().encode(envelope), as: UTF8.self)
    }

    private func registered(app: App = .seatcatcher) -> AuthEvents.AccountRegistered {
        AuthEvents.AccountRegistered(account: 7, app: app, nickname: "조용한 수달", image: nil)
    }

    private func passenger() async throws -> (String, String, [String])? {
        try await TestDatabase.current.client.optional(
            "SELECT nickname, image, tags FROM passengers WHERE account_id = 7"
        ) { try $0.decode(String.self, String.self, [String].self) }
    }

    @Test func passenger_followsProfileEvents() async throws {
        let auth = ServiceClient(world.client, to: .seats, process: .auth)
        let first = try await auth.send(.post, "/internal/events", json: event(registered()))
        #expect(first.status == .noContent)
        #expect(try await passenger()?.1 == "IMAGE_1")

        let change = AuthEvents.ProfileChanged(
            account: 7,
            app: .seatcatcher,
            nickname: "빛나는 고래",
            image: "IMAGE_3",
            tags: ["USERTAG_CARRIER"]
        )
        _ = try await auth.send(.post, "/internal/events", json: event(change))
        let passenger = try #require(try await passenger())
        #expect(passenger == ("빛나는 고래", "IMAGE_3", ["USERTAG_CARRIER"]))
    }

    @Test func eventOfOtherApp_isIgnored() async throws {
        let auth = ServiceClient(world.client, to: .seats, process: .auth)
        let answer = try await auth.send(.post, "/internal/events", json: event(registered(app: .moup)))
        #expect(answer.status == .noContent)
        #expect(try await passenger() == nil)
    }

    @Test func unknownPassenger_hasNoCredit() async throws {
        let auth = ServiceClient(world.client, to: .seats, process: .auth)
        let answer = try await auth.send(.get, "/internal/passengers/7")
        #expect(try answer.json(SeatsAPI.Passenger.self).credit == 0)
        #expect(try await auth.send(.get, "/internal/passengers/x").status == .badRequest)
        #expect(
            try await ServiceClient(world.client, to: .seats, app: .seatcatcher, account: 7).send(
                .get,
                "/internal/passengers/7"
            )
            .status
                == .notFound
        )
    }
}
