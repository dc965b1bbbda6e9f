import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Community

/// Calls that wait for one post leave connections for those of others.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct LockedPostTests {
    private var world: CommunityWorld { .current }
    private var half: Int { world.database.configuration.leasedConnections / 2 }

    @Test(.anlaka) func commentsOnLockedPost_doNotDelayOthers() async throws {
        let (locked, other) = (try await world.post(), try await world.post())
        let waiting = try await world.database.transaction { transaction in
            try await transaction.execute("SELECT FROM posts WHERE public_id = \(locked) FOR UPDATE")
            let waiting = (1...12).map { number in
                Task { try await world.say("\(number)", on: locked, by: [1, 2, 9][number % 3]).status }
            }
            try await transaction.waitUntilBlocking(half)
            #expect(try await world.say("가", on: other, by: 1).status == .ok)
            return waiting
        }
        for comment in waiting { #expect(try await comment.value == .ok) }
    }

    @Test(.anlaka) func reportsOfLockedPost_doNotDelayOthers() async throws {
        let (locked, other) = (try await world.post(), try await world.post())
        let waiting = try await world.database.transaction { transaction in
            try await transaction.execute("SELECT FROM posts WHERE public_id = \(locked) FOR UPDATE")
            let waiting = (1...12).map { number in Task { try await world.report(locked, by: [2, 9][number % 2]) } }
            try await transaction.waitUntilBlocking(half)
            #expect(try await world.report(other, by: 2) == 200)
            return waiting
        }
        for report in waiting { #expect(try await report.value == 200) }
    }
}
