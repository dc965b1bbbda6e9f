import Contracts
import TestKit
import Testing

@testable import Auth

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct RevocationFeedTests {
    /// Every gateway has a waiting request at all times.
    @Test func waitingRequest_queriesDatabaseRarely() async throws {
        let configuration = AuthConfiguration(database: TestDatabase.current.configuration)
        let feed = RevocationFeed(
            database: TestDatabase.current.client,
            lifetimes: configuration.lifetimes,
            logger: .quiet
        )
        let answer = try await feed.revocations(after: 0, wait: .milliseconds(1250))
        #expect(answer == AuthAPI.Revocations(revocations: [], last: 0))
        // Queries run at the start, after each half second and at the end, with one more if one coincides with the end.
        #expect(await feed.looks <= 5)
    }
}
