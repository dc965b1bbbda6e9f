import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Workforce

/// Calls that wait for one workplace leave connections for those of others.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct LockedWorkplaceTests {
    private var world: WorkforceWorld { .current }
    private var half: Int { world.database.configuration.leasedConnections / 2 }

    @Test func lockedWorkplace_doesNotDelayOthers() async throws {
        let (locked, other) = (try await world.shared("언덕카페"), try await world.shared("골목서점"))
        let waiting = try await world.database.transaction { transaction in
            try await transaction.execute("SELECT FROM workplaces WHERE id = \(locked) FOR UPDATE")
            let waiting = (1...12).map { _ in Task { try await world.code(of: locked) } }
            try await transaction.waitUntilBlocking(half)
            #expect(try await world.code(of: other).count == InviteCode.length)
            return waiting
        }
        for code in waiting { #expect(try await code.value.count == InviteCode.length) }
    }

    @Test func lockedWorker_doesNotDelayOtherWorkplaces() async throws {
        let (locked, other) = (try await world.shared("언덕카페"), try await world.shared("골목서점"))
        let worker = try await world.member(1, at: locked)
        _ = try await world.member(2, at: other)
        func start(at workplace: WorkplaceID, by account: AccountID) async throws -> HTTPResponse.Status {
            try await world.client(account).send(.post, "/workplaces/\(workplace)/workers/me/works/start").status
        }
        let waiting = try await world.database.transaction { transaction in
            try await transaction.execute("SELECT FROM workers WHERE id = \(worker) FOR UPDATE")
            let waiting = (1...12).map { _ in Task { try await start(at: locked, by: 1) } }
            try await transaction.waitUntilBlocking(half)
            #expect(try await start(at: other, by: 2) == .created)
            return waiting
        }
        var statuses: [HTTPResponse.Status] = []
        for clockIn in waiting { statuses.append(try await clockIn.value) }
        #expect(statuses.filter { $0 == .created }.count == 1)
        #expect(statuses.filter { $0 == .conflict }.count == 11)
    }
}
