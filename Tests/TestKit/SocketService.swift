import Apps
package import Authentication
package import Contracts
import FoundationEssentials
package import Hummingbird
package import HummingbirdTesting
import ServiceKit
package import Sockets
package import Testing

/// A service with a socket and little else, listening on a port that the system chose.
package struct SocketService: Fixture {
    package let port: Int
    package let client: any TestClientProtocol

    package static let path = SeatCatcher().connectSTOMP.path
    package var url: String { "ws://127.0.0.1:\(port)\(Self.path)" }

    /// The application, for tests that start and stop it themselves.
    package static func application(_ endpoint: any WebSocketEndpoint) throws -> some ApplicationProtocol {
        try ServiceHost.application(
            "test",
            configuration: HostConfiguration(.seats, port: 0),
            apiDocument: Array("{}".utf8),
            services: [],
            checks: [],
            sockets: [SocketRoute(\SeatCatcher.connectSTOMP, endpoint)],
            logger: .quiet,
            prepare: {},
            routes: { router in router.app(.seatcatcher).get("plain") { _, _ in "plain" } }
        )
    }

    /// Runs the service while `body` does.
    package static func run(
        _ endpoint: any WebSocketEndpoint,
        _ body: @escaping @Sendable (SocketService) async throws -> Void
    ) async throws {
        try await application(endpoint).test(.live) { client in
            try await body(SocketService(port: client.port ?? 0, client: client))
        }
    }

    /// What the gateway adds to the handshake of a phone.
    ///
    /// - Parameter path: The path with its query.
    package static func identity(
        _ identity: InternalIdentity = InternalIdentity(caller: .gateway, app: .seatcatcher),
        at path: String = Self.path,
        to service: ServiceName = .seats
    ) -> [(String, String)] {
        [(InternalIdentity.header, identity.signed("GET", path, to: service))]
    }
}

extension Trait where Self == FixtureTrait<SocketService> {
    /// A service with a new endpoint for each test.
    package static func sockets(_ endpoint: @autoclosure @escaping @Sendable () -> any WebSocketEndpoint) -> Self {
        .fixture { try await SocketService.run(endpoint(), $0) }
    }
}
