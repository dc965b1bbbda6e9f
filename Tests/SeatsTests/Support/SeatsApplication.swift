import Hummingbird
import HummingbirdTesting
import TestKit

@testable import Seats

/// The service on the current test's database.
enum SeatsApplication {
    static func test(_ body: @escaping @Sendable (any TestClientProtocol) async throws -> Void) async throws {
        let application = try buildSeats(
            SeatsConfiguration(database: TestDatabase.current.configuration),
            logger: .quiet
        )
        try await application.test(.router, body)
    }
}
