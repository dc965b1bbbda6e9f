import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import TestKit
import Testing

@testable import Seats

/// The service with registered passengers.
struct SeatsWorld: ServiceWorld {
    static let service = ServiceName.seats

    let client: any TestClientProtocol

    static func test(
        passengers: [AccountID: String] = [1: "조용한 수달", 2: "빛나는 고래"],
        _ body: @escaping @Sendable (SeatsWorld) async throws -> Void
    ) async throws {
        let configuration = SeatsConfiguration(database: TestDatabase.current.configuration)
        try await buildSeats(configuration, logger: .quiet).test(.router) { client in
            let world = SeatsWorld(client: client)
            try await world.sight(Self.trains)
            for (account, name) in passengers { try await world.register(account, name) }
            try await body(world)
        }
    }

    /// Trains of line 2 that the arrivals have announced today.
    static let trains = ["2234", "2236", "2300"]

    func sight(_ trains: [String]) async throws { try await Sightings.add(trains, to: database) }

    func client(_ account: AccountID) -> ServiceClient {
        ServiceClient(client, to: .seats, app: .seatcatcher, account: account)
    }

    func register(_ account: AccountID, _ name: String) async throws {
        try await publish(AuthEvents.AccountRegistered(account: account, app: .seatcatcher, nickname: name, image: nil))
    }

    func withdraw(_ account: AccountID) async throws {
        try await publish(AuthEvents.AccountWithdrawn(account: account, app: .seatcatcher))
    }

    /// Delivers an event and requires 204; as the relay does, again while the service is too busy.
    func publish(_ event: some Event) async throws {
        var status = try await deliver(event)
        for _ in 0..<5 where status == 503 {
            try await Task.sleep(for: .milliseconds(200))
            status = try await deliver(event)
        }
        guard status == 204 else { throw Refused(status: status) }
    }

    struct Refused: Error { var status: Int }
}

extension Trait where Self == FixtureTrait<SeatsWorld> {
    static var service: Self { .fixture { try await SeatsWorld.test($0) } }

    /// - Parameter passengers: registered accounts with their nicknames.
    static func service(passengers: [AccountID: String]) -> Self {
        .fixture { try await SeatsWorld.test(passengers: passengers, $0) }
    }
}

extension TestResponse {
    /// The status and the code of an error, as in `404 USER_NOT_FOUND`; otherwise the status alone.
    var summary: String {
        struct Refusal: Decodable {
            var error: String
            var message: String
            var code: String
        }
        guard status.code >= 400, let refusal = try? json(Refusal.self), !refusal.message.isEmpty else {
            return "\(status.code)"
        }
        return "\(status.code) \(refusal.code)"
    }

    /// The title of an error.
    var title: String? {
        struct Refusal: Decodable { var error: String }
        return try? json(Refusal.self).error
    }
}
