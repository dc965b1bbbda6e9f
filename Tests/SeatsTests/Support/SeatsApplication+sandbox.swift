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

extension SeatsApplication {
    /// The service and a sandbox of its external providers.
    struct World: Sendable {
        var seats: any TestClientProtocol
        var sandbox: any TestClientProtocol
        /// The sandbox's URL of the arrivals service.
        var seoulURL: String

        var phone: Phone { Phone(seats, app: .seatcatcher, account: 1) }

        /// Calls a control of the sandbox.
        func control(_ path: String, _ json: String) async throws {
            let status = try await sandbox.execute(
                uri: "/_control/\(path)",
                method: .post,
                body: ByteBuffer(string: json)
            ) { $0.status }
            #expect(status == .noContent)
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
    }

    /// Runs `body` with the service on the current test's database and a sandbox of its own.
    static func testWithSandbox(
        _ adjust: @escaping @Sendable (inout SeatsConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (World) async throws -> Void
    ) async throws {
        var outside = SandboxConfiguration()
        outside.port = 0
        let database = TestDatabase.current.configuration
        try await buildSandbox(outside, logger: .quiet).test(.live) { sandbox in
            let url = "http://127.0.0.1:\(sandbox.port ?? 0)/seoul"
            var configuration = SeatsConfiguration(database: database)
            configuration.seoulURL = url
            adjust(&configuration)
            try await buildSeats(configuration, logger: .quiet).test(.router) { seats in
                try await body(World(seats: seats, sandbox: sandbox, seoulURL: url))
            }
        }
    }
}

extension String {
    /// Percent-encoded for a query.
    var encoded: String {
        utf8.map { "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
