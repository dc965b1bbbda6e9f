import Contracts
import FoundationEssentials
import Hummingbird
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Workforce

/// The service on the current test's database, with people from events of auth.
struct WorkforceWorld: ServiceWorld {
    static let service = ServiceName.workforce

    let client: any TestClientProtocol
    let clock: ManualClock

    /// - Parameters:
    ///   - workers, owners: accounts with their nicknames.
    static func test(
        workers: [AccountID: String] = [1: "하루", 2: "나무"],
        owners: [AccountID: String] = [9: "사장", 8: "옆집"],
        clock: ManualClock = ManualClock(),
        _ body: @escaping @Sendable (WorkforceWorld) async throws -> Void
    ) async throws {
        let database = TestDatabase.current
        for (role, people) in [("ROLE_WORKER", workers), ("ROLE_OWNER", owners)] {
            for (account, nickname) in people {
                try await database.client.execute(
                    """
                    INSERT INTO people (account_id, nickname, image, role)
                    VALUES (\(account), \(nickname), \("/i/\(account)"), \(role))
                    """
                )
            }
        }
        var configuration = WorkforceConfiguration(database: database.configuration)
        configuration.now = { clock.now }
        // No service answers there: accounts without an event are unknown.
        configuration.authURLs = ["http://127.0.0.1:9"]
        try await buildWorkforce(configuration, logger: .quiet).test(.router) { client in
            try await body(WorkforceWorld(client: client, clock: clock))
        }
    }

    func client(_ account: AccountID) -> ServiceClient {
        ServiceClient(client, to: .workforce, app: .moup, account: account)
    }
}

extension Trait where Self == FixtureTrait<WorkforceWorld> {
    static var service: Self { .fixture { try await WorkforceWorld.test($0) } }

    /// - Parameter instant: where the service's clock stands, as `ManualClock` reads it.
    static func service(at instant: String) -> Self {
        .fixture { try await WorkforceWorld.test(clock: ManualClock(instant), $0) }
    }
}
