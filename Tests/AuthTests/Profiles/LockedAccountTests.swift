import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Auth

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct LockedAccountTests {
    private var world: AuthWorld { .current }

    /// Changes of one account leave connections for those of others.
    @Test func changesOfLockedAccount_doNotDelayOthers() async throws {
        let locked = try await world.anlakaMember("a@example.com")
        let other = try await world.anlakaMember("b@example.com", nick: "나무")
        func rename(_ member: SeSACMember, _ nick: String) async throws -> HTTPResponse.Status {
            try await member.phone.send(.put, "/v1/users/me/profile", json: #"{"nick":"\#(nick)"}"#).status
        }
        let waiting = try await world.database.transaction { transaction in
            try await transaction.execute("SELECT FROM accounts WHERE id = \(locked.account) FOR UPDATE")
            let waiting = (1...12).map { number in Task { try await rename(locked, "하루\(number)") } }
            try await transaction.waitUntilBlocking(world.database.configuration.leasedConnections / 2)
            #expect(try await rename(other, "바다") == .ok)
            return waiting
        }
        for change in waiting { #expect(try await change.value == .ok) }
    }
}
