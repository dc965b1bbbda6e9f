import Authentication
import FoundationEssentials
import Postgres
import ServiceLifecycle
import TestKit
import Testing

@testable import Auth

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct KeyRingTests {
    private let schedule = KeySchedule(period: 100, lead: 10, afterlife: 1000)

    private func ring(secret: String = "secret") -> KeyRing {
        KeyRing(
            store: SigningKeyStore(
                database: TestDatabase.current.client,
                seal: KeyEncryption(secret: secret, purpose: "signing keys")
            ),
            schedule: schedule,
            logger: .quiet
        )
    }

    @Test func concurrentRings_shareOneKey() async throws {
        let rings = (0..<8).map { _ in ring() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for ring in rings { group.addTask { try await ring.refresh() } }
            try await group.waitForAll()
        }
        #expect(Set(try rings.map { try $0.signing().id }).count == 1)
        #expect(rings[0].published.keys.count == 1)
    }

    @Test func rotation_publishesNextKeyAhead() async throws {
        let ring = ring()
        let start = Date.now
        try await ring.refresh(now: start)
        let first = try ring.signing(now: start)
        try await ring.refresh(now: start + 91)
        #expect(ring.published.keys.count == 2)
        #expect(try ring.signing(now: start + 91).id == first.id)
        let second = try ring.signing(now: start + 102)
        #expect(second.id != first.id)
        #expect(ring.publicKeys[first.id] != nil)
    }

    @Test func keysWithoutLiveTokens_areDeleted() async throws {
        let ring = ring()
        let start = Date.now
        try await ring.refresh(now: start)
        let first = try ring.signing(now: start).id
        try await ring.refresh(now: start + 1090)
        try await ring.refresh(now: start + 1101)
        try await ring.refresh(now: start + 1101)
        #expect(ring.publicKeys[first] == nil)
        #expect(!ring.publicKeys.isEmpty)
    }

    @Test func signing_withoutKeys_throws() {
        #expect(throws: KeyRingError.empty) { try ring().signing() }
    }

    @Test func refresh_withOtherSecret_throws() async throws {
        try await ring().refresh()
        await #expect(throws: SigningKeysSealedOtherwise.self) { try await ring(secret: "another").refresh() }
    }

    @Test func serviceWithOtherSecret_endsWithExplanation() async throws {
        try await ring().refresh()
        var configuration = AuthConfiguration(database: TestDatabase.current.configuration)
        configuration.keySecret = "another"
        let service = try buildAuth(configuration, logger: .quiet)
        var sentence = ""
        do {
            try await ServiceGroup(services: [service], logger: .quiet).run()
        } catch {
            sentence = "\(error)"
        }
        #expect(
            sentence == """
                AUTH_KEY_SECRET is not the secret that sealed the signing keys in this database; start with the former \
                one, or empty the table signing_keys to have new keys made, which ends all sessions.
                """
        )
    }
}
