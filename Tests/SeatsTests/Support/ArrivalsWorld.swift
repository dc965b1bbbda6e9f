import Contracts
import FoundationEssentials
import Hummingbird
import HummingbirdTesting
import NIOCore
import Subway
import TestKit
import Testing

@testable import Sandbox
@testable import Seats

/// The service and a sandbox of its external providers.
struct ArrivalsWorld: Fixture {
    var seats: any TestClientProtocol
    var sandbox: any TestClientProtocol
    /// The sandbox's URL of the arrivals service.
    var seoulURL: String

    var phone: ServiceClient { ServiceClient(seats, to: .seats, app: .seatcatcher, account: 1) }

    /// Uses a control of the sandbox.
    func control(_ path: String, _ json: String) async throws {
        #expect(try await sandbox.control(path, json).status == .noContent)
    }

    /// Puts a train on a line.
    func place(
        _ train: String,
        line: String,
        at station: String,
        _ direction: Direction,
        in seconds: Int,
        to destination: String
    ) async throws {
        try await control(
            "trains",
            """
            {"btrainNo":"\(train)","line":"\(line)","station":"\(station)","direction":\(direction.rawValue),
             "seconds":\(seconds),"destination":"\(destination)"}
            """
        )
    }

    /// Runs `body` with the service on the current test's database and a sandbox of its own.
    static func test(
        _ adjust: @escaping @Sendable (inout SeatsConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (ArrivalsWorld) async throws -> Void
    ) async throws {
        var settings = SandboxConfiguration()
        settings.port = 0
        let database = TestDatabase.current.configuration
        try await buildSandbox(settings, logger: .quiet).test(.live) { sandbox in
            let url = "http://127.0.0.1:\(sandbox.port ?? 0)/seoul"
            var configuration = SeatsConfiguration(database: database)
            configuration.seoulURL = url
            adjust(&configuration)
            try await buildSeats(configuration, logger: .quiet).test(.router) { seats in
                try await body(ArrivalsWorld(seats: seats, sandbox: sandbox, seoulURL: url))
            }
        }
    }
}

extension Trait where Self == FixtureTrait<ArrivalsWorld> {
    static var arrivals: Self { .arrivals { _ in } }

    /// - Parameter adjust: changes the settings.
    static func arrivals(_ adjust: @escaping @Sendable (inout SeatsConfiguration) -> Void) -> Self {
        .fixture { try await ArrivalsWorld.test(adjust, $0) }
    }
}

extension String {
    /// Percent-encoded for a query.
    var encoded: String { utf8.map { "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }
}
