import Contracts
import HummingbirdTesting
import Sockets
import TestKit

@testable import Seats

/// A service that listens on a port, for the sockets of passengers who view a car.
struct LiveSeatsWorld: ServiceWorld {
    static let service = ServiceName.seats

    let client: any TestClientProtocol
    let key: TestKey

    var seats: SeatsWorld { SeatsWorld(client: client) }

    static func test(_ body: @escaping @Sendable (LiveSeatsWorld) async throws -> Void) async throws {
        try await with({ _ in }, body)
    }

    /// - Parameter adjust: Changes the settings.
    static func with(
        _ adjust: @escaping @Sendable (inout SeatsConfiguration) -> Void,
        _ body: @escaping @Sendable (LiveSeatsWorld) async throws -> Void
    ) async throws {
        let key = TestKey()
        let database = TestDatabase.current.configuration
        try await key.published { auth in
            var configuration = SeatsConfiguration(database: database)
            configuration.authURLs = [auth]
            adjust(&configuration)
            try await buildSeats(configuration, logger: .quiet).test(.live) { client in
                let world = LiveSeatsWorld(client: client, key: key)
                try await world.seats.sight(SeatsWorld.trains)
                for account in [1, 2] as [AccountID] { try await world.seats.register(account, "승객 \(account)") }
                try await body(world)
            }
        }
    }

    func connect(_ account: AccountID) async throws -> STOMPClient {
        try await STOMPClient.connect(
            "ws://127.0.0.1:\(client.port ?? 0)/seatcatcher",
            headers: [("Authorization", "Bearer \(try key.token { $0.sub = "\(account)" })")],
            handshake: SocketService.identity()
        )
    }
}
