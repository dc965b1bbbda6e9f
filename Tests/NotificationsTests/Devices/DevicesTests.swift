import Contracts
import FoundationEssentials
import Postgres
import TestKit
import Testing

@testable import Notifications

/// Registrations of devices.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)))
struct DevicesTests {
    let fixture = PushFixture()

    private func owners() async throws -> [String] {
        try await fixture.database.all(
            "SELECT token || ' ' || account_id FROM devices WHERE account_id IS NOT NULL ORDER BY 1"
        ) { try $0.decode(String.self) }
    }

    private func hear(_ account: AccountID, _ token: String, _ session: String, at: Date?) async throws {
        let event = AuthEvents.PushTokenReceived(account: account, app: .anlaka, session: session, token: token, at: at)
        try await fixture.database.transaction { try await fixture.devices.receive(event, in: $0) }
    }

    private func end(_ session: String, of account: AccountID) async throws {
        try await fixture.database.transaction { try await fixture.devices.end(session: session, of: account, in: $0) }
    }

    @Test
    func newOwner_takesDevice_andQueuedPushesAreDropped() async throws {
        try await fixture.register(1, "t", session: "s1")
        try await fixture.push("for one", to: 1)
        try await fixture.register(2, "t", session: "s2")
        #expect(try await owners() == ["t 2"])
        #expect(try await fixture.waiting() == 0)
        try await end("s1", of: 1)
        #expect(try await owners() == ["t 2"])
    }

    @Test
    func newTokenOfSession_keepsQueuedPushes() async throws {
        try await fixture.register(1, "old", session: "s1")
        try await fixture.push("text", to: 1)
        try await fixture.register(1, "new", session: "s1")
        #expect(try await owners() == ["new 1"])
        #expect(try await fixture.waiting() == 1)
    }

    @Test
    func signOutOrEmptyToken_removesDevice() async throws {
        try await fixture.register(1, "a", session: "s1")
        try await fixture.register(1, "b", session: "s2")
        try await fixture.push("text", to: 1)
        try await fixture.register(1, "", session: "s1")
        try await fixture.register(1, "", session: "s9")
        #expect(try await owners() == ["b 1"])
        try await end("s2", of: 1)
        #expect(try await owners() == [])
        #expect(try await fixture.waiting() == 0)
        try await fixture.register(1, "b", session: "s3")
        #expect(try await owners() == ["b 1"])
    }

    @Test
    func lateEvents_restoreNoDevice() async throws {
        try await end("s1", of: 1)
        try await hear(1, "a", "s1", at: .now)
        #expect(try await owners() == [])

        let signedIn = fixture.clock.now
        fixture.clock.advance(by: 10)
        try await fixture.register(2, "t", session: "s2")
        try await hear(3, "t", "s3", at: signedIn)
        #expect(try await owners() == ["t 2"])
        try await fixture.register(2, "", session: "s2")
        try await hear(3, "t", "s3", at: signedIn)
        #expect(try await owners() == [])
    }

    @Test
    func withdrawnAccount_hasNoDevices() async throws {
        try await fixture.register(1, "a")
        try await fixture.database.execute(
            """
            INSERT INTO people (account_id, app, public_id, nickname, withdrawn_at)
            VALUES (1, 'anlaka', \(String(repeating: "1", count: 24)), '', now())
            """
        )
        try await fixture.database.transaction { try await fixture.devices.forget(1, in: $0) }
        try await fixture.register(1, "b", session: "other")
        #expect(try await owners() == [])
    }

    @Test
    func concurrentClaims_leaveOneOwner() async throws {
        try await withThrowingTaskGroup { group in
            for account in 1...12 {
                group.addTask {
                    for round in 0..<5 {
                        let token = round.isMultiple(of: 2) ? "shared" : "own\(account)"
                        try await fixture.register(AccountID(rawValue: Int64(account)), token, session: "s\(account)")
                    }
                }
            }
            try await group.waitForAll()
        }
        let owners = try await owners()
        #expect(owners.count { $0.hasPrefix("shared ") } == 1)
        let mailboxes = try await fixture.database.one("SELECT count(*) FROM mailboxes") { try $0.decode(Int.self) }
        #expect(mailboxes == owners.count)
    }

    @Test
    func invalidToken_isRefused() async throws {
        for token in ["with space", "한글", "tab\there", String(repeating: "a", count: 4097)] {
            await #expect(throws: NotificationsError.self) { try await fixture.register(1, token, session: "s") }
            try await hear(1, token, "s", at: nil)
        }
        try await fixture.register(1, String(repeating: "a", count: 4096), session: "s")
        #expect(try await owners().count == 1)
    }
}
