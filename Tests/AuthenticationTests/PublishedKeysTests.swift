import Authentication
import Crypto
import Logging
import Synchronization
import TestKit
import Testing

@Suite(.timeLimit(.minutes(1))) struct PublishedKeysTests {
    /// A stub of auth whose keys and availability the test controls.
    private final class Publisher: Sendable {
        struct Down: Error {}

        private let state = Mutex<(keys: [JWKS.Key], isDown: Bool, fetches: Int)>(([], false, 0))

        var fetches: Int { state.withLock { $0.fetches } }

        func publish(_ kid: String) {
            let key = JWKS.Key(kid: kid, key: P256.Signing.PrivateKey().publicKey)
            state.withLock { $0.keys.append(key) }
        }

        func setDown(_ isDown: Bool) { state.withLock { $0.isDown = isDown } }

        func fetch() throws -> JWKS {
            try state.withLock { state in
                state.fetches += 1
                if state.isDown { throw Down() }
                return JWKS(keys: state.keys)
            }
        }
    }

    private func run(
        _ publisher: Publisher,
        coolDown: Duration = .zero,
        _ body: @escaping (PublishedKeys) async throws -> Void
    ) async throws {
        let keys = PublishedKeys(interval: .seconds(3600), coolDown: coolDown, logger: .quiet) { try publisher.fetch() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await keys.run() }
            while keys.current.revision == 0 { try await Task.sleep(for: .milliseconds(5)) }
            try await body(keys)
            group.cancelAll()
        }
    }

    @Test func refetch_findsNewKey() async throws {
        let publisher = Publisher()
        publisher.publish("a")
        try await run(publisher) { keys in
            #expect(keys.current.keys["b"] == nil)
            publisher.publish("b")
            #expect(await keys.refetch() == .fresh)
            #expect(keys.current.keys["b"] != nil)
            #expect(keys.current.revision == 2)
        }
    }

    @Test func refetch_duringOutage_keepsKeys() async throws {
        let publisher = Publisher()
        publisher.publish("a")
        try await run(publisher) { keys in
            publisher.setDown(true)
            #expect(await keys.refetch() == .unavailable)
            #expect(keys.current.keys["a"] != nil)
        }
    }

    @Test func refetch_beforeTheFirstKeys_waitsForThem() async throws {
        let publisher = Publisher()
        publisher.publish("a")
        publisher.setDown(true)
        let keys = PublishedKeys(coolDown: .zero, timeout: .seconds(30), logger: .quiet) { try publisher.fetch() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await keys.run() }
            async let outcome = keys.refetch()
            while publisher.fetches < 5 { try await Task.sleep(for: .milliseconds(5)) }
            publisher.setDown(false)
            #expect(await outcome == .fresh)
            #expect(keys.current.keys["a"] != nil)
            group.cancelAll()
        }
    }

    @Test func refetch_withoutKeysForTooLong_isUnavailable() async throws {
        let publisher = Publisher()
        publisher.setDown(true)
        let keys = PublishedKeys(coolDown: .zero, timeout: .milliseconds(300), logger: .quiet) { try publisher.fetch() }
        await withTaskGroup { group in
            group.addTask { try? await keys.run() }
            #expect(await keys.refetch() == .unavailable)
            #expect(publisher.fetches > 1)
            group.cancelAll()
        }
    }

    @Test func concurrentRefetches_shareOneFetch() async throws {
        let publisher = Publisher()
        publisher.publish("a")
        try await run(publisher, coolDown: .milliseconds(500)) { keys in
            let before = publisher.fetches
            await withTaskGroup { group in
                for _ in 0..<100 { group.addTask { #expect(await keys.refetch() == .fresh) } }
            }
            #expect((1...2).contains(publisher.fetches - before))
        }
    }

    @Test func refetch_neverReturnsEarlierFetch() async throws {
        let publisher = Publisher()
        publisher.publish("a")
        try await run(publisher, coolDown: .milliseconds(100)) { keys in
            for number in 0..<5 {
                publisher.publish("key \(number)")
                #expect(await keys.refetch() == .fresh)
                #expect(keys.current.keys["key \(number)"] != nil)
            }
        }
    }

    @Test func shutdown_endsWaitingRefetches() async throws {
        let publisher = Publisher()
        publisher.setDown(true)
        let keys = PublishedKeys(coolDown: .zero, logger: .quiet) {
            try await Task.sleep(for: .seconds(3600))
            return try publisher.fetch()
        }
        await withTaskGroup { group in
            group.addTask { try? await keys.run() }
            group.addTask { #expect(await keys.refetch() == .unavailable) }
            try? await Task.sleep(for: .milliseconds(20))
            group.cancelAll()
        }
        #expect(await keys.refetch() == .unavailable)
    }

    /// Runs during an outage of ten fetches and until the recovery is logged.
    private func logOfALateStart(reminder: Duration) async throws -> (lines: [RecordedLog.Line], failures: Int) {
        let log = RecordedLog()
        let publisher = Publisher()
        publisher.setDown(true)
        publisher.publish("a")
        let keys = PublishedKeys(
            interval: .milliseconds(1),
            coolDown: .zero,
            reminder: reminder,
            logger: log.logger
        ) { try publisher.fetch() }
        var failures = 0
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await keys.run() }
            while publisher.fetches < 10 { try await Task.sleep(for: .milliseconds(1)) }
            publisher.setDown(false)
            failures = publisher.fetches
            while !log.lines.contains(where: { $0.level == .notice }) { try await Task.sleep(for: .milliseconds(1)) }
            group.cancelAll()
        }
        return (log.lines, failures)
    }

    @Test func outage_isLoggedOnceWithRecovery() async throws {
        let (lines, _) = try await logOfALateStart(reminder: .seconds(3600))
        #expect(lines.map(\.level) == [.warning, .notice])
        #expect(lines.map(\.message) == ["published keys: fetch failed, will retry", "published keys: fetched again"])
    }

    @Test func outage_isLoggedAgainAfterReminderInterval() async throws {
        let (lines, failures) = try await logOfALateStart(reminder: .zero)
        #expect(lines.count { $0.level == .warning } >= failures - 1)
        #expect(lines.count { $0.level == .notice } == 1)
    }

    @Test func successfulFetches_areNotLogged() async throws {
        let log = RecordedLog()
        let publisher = Publisher()
        publisher.publish("a")
        let keys = PublishedKeys(interval: .milliseconds(1), coolDown: .zero, logger: log.logger) {
            try publisher.fetch()
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await keys.run() }
            while publisher.fetches < 10 { try await Task.sleep(for: .milliseconds(1)) }
            group.cancelAll()
        }
        #expect(log.lines.isEmpty)
    }
}
