import Contracts
import Events
import FoundationEssentials
import Hummingbird
import HummingbirdTesting
import Logging
import Postgres
import TestKit

@testable import Workforce

/// The service on the current test's database, with people from events of auth.
struct WorkforceWorld: Sendable {
    let client: any TestClientProtocol

    /// - Parameters:
    ///   - workers, owners: accounts with their nicknames.
    ///   - now: the current time; the system clock by default.
    static func test(
        workers: [AccountID: String] = [1: "하루", 2: "나무"],
        owners: [AccountID: String] = [9: "사장", 8: "옆집"],
        now: (@Sendable () -> Date)? = nil,
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
        if let now { configuration.now = now }
        // No service answers there: accounts without an event are unknown.
        configuration.authURLs = ["http://127.0.0.1:9"]
        try await buildWorkforce(configuration, logger: .quiet).test(.router) { client in
            try await body(WorkforceWorld(client: client))
        }
    }

    func phone(_ account: AccountID) -> Phone { Phone(client, app: .moup, account: account) }
}
