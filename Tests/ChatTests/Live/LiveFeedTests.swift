import TestKit
import Testing

@testable import Chat

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)))
struct LiveFeedTests {
    @Test func checkListening_throwsUntilListening() async throws {
        let feed = LiveFeed(database: TestDatabase.current.client, logger: .quiet)
        await #expect(throws: LiveFeed.NotListening.self) { try await feed.checkListening() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await feed.run() }
            while (try? await feed.checkListening()) == nil { try await Task.sleep(for: .milliseconds(2)) }
            group.cancelAll()
        }
    }
}
