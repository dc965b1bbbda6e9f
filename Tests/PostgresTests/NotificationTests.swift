import CoreMetrics
import ServiceKit
import ServiceLifecycle
import TestKit
import Testing

@testable import Postgres

@Suite(.database(), .timeLimit(.minutes(5)))
struct NotificationTests {
    private var client: PostgresClient { TestDatabase.current.client }
    /// Channels belong to the whole database, so concurrent tests must not share one.
    private let channel = "c \"\(UInt64.random(in: 0 ... .max))\""

    private func announce(_ messages: String...) {
        client.announcer.announce(messages.map { Announcement($0, on: channel) })
    }

    /// The statement that listens on the channel.
    private var listen: String { listen(to: channel) }

    private func listen(to channel: String) -> String {
        "LISTEN \"\(channel.replacing("\"", with: "\"\""))_\(client.configuration.schema ?? "public")\""
    }

    @Test func subscribers_receiveNotificationsAfterListening() async throws {
        var one = client.announcer.notifications(on: channel).makeAsyncIterator()
        var two = client.announcer.notifications(on: channel).makeAsyncIterator()
        var other = client.announcer.notifications(on: channel + "2").makeAsyncIterator()
        #expect(await one.next() == .listening)
        #expect(await two.next() == .listening)
        #expect(await other.next() == .listening)
        for number in 0..<100 { announce("message \(number)") }
        for number in 0..<100 {
            #expect(await one.next() == .message("message \(number)"))
            #expect(await two.next() == .message("message \(number)"))
        }
        client.announcer.announce([Announcement("for the other", on: channel + "2")])
        #expect(await other.next() == .message("for the other"))
        var late = client.announcer.notifications(on: channel).makeAsyncIterator()
        #expect(await late.next() == .listening)
    }

    @Test func announcement_isSentAfterCommitOnly() async throws {
        var heard = client.announcer.notifications(on: channel).makeAsyncIterator()
        #expect(await heard.next() == .listening)
        struct Refusal: Error {}
        _ = try? await client.transaction { transaction in
            transaction.announce([Announcement("rolled back", on: channel)])
            throw Refusal()
        }
        let (isOpen, mayCommit) = (Rendezvous(2), Rendezvous(2))
        async let committing: Void = client.transaction { [channel] transaction in
            try await transaction.execute("SELECT 1")
            transaction.announce([Announcement("committed", on: channel)])
            await isOpen.arrive()
            await mayCommit.arrive()
        }
        await isOpen.arrive()
        // This one overtakes it, since the transaction has not committed.
        announce("meanwhile")
        #expect(await heard.next() == .message("meanwhile"))
        await mayCommit.arrive()
        try await committing
        #expect(await heard.next() == .message("committed"))
    }

    /// The server refuses it; it must not hold up the others.
    @Test func announcementOfTooManyBytes_isLostAlone() async throws {
        var heard = client.announcer.notifications(on: channel).makeAsyncIterator()
        #expect(await heard.next() == .listening)
        let longest = String(repeating: "x", count: 7_999)
        announce("before", String(repeating: "긴", count: 2_667), longest)
        announce("after")
        #expect(await heard.next() == .message("before"))
        #expect(await heard.next() == .message(longest))
        #expect(await heard.next() == .message("after"))
    }

    /// Of equal ones the last is sent, so that what it says last is what is heard last.
    @Test func equalAnnouncements_areSentOnce() async throws {
        var heard = client.announcer.notifications(on: channel).makeAsyncIterator()
        #expect(await heard.next() == .listening)
        announce("in", "out", "in")
        #expect(await heard.next() == .message("out"))
        #expect(await heard.next() == .message("in"))
        announce("end")
        #expect(await heard.next() == .message("end"))
    }

    /// The end of a client waits for what its last transactions announce.
    @Test func lastAnnouncement_ofEndingClient_isSent() async throws {
        var heard = client.announcer.notifications(on: channel).makeAsyncIterator()
        #expect(await heard.next() == .listening)
        let ending = PostgresClient(TestDatabase.current.configuration, logger: .quiet)
        let group = ServiceGroup(services: [ending], logger: .quiet)
        async let running: Void = group.run()
        try await ending.transaction { transaction in
            try await transaction.execute("SELECT 1")
            transaction.announce([Announcement("last", on: channel)])
        }
        await group.triggerGracefulShutdown()
        try await running
        #expect(await heard.next() == .message("last"))
    }

    @Test func lostConnection_isReplaced_andReported() async throws {
        var heard = client.announcer.notifications(on: channel).makeAsyncIterator()
        #expect(await heard.next() == .listening)
        var others: [AsyncStream<PostgresNotification>] = []
        for round in 0..<3 {
            // The connection also sends announcements; it is found by its last statement.
            others.append(client.announcer.notifications(on: "\(channel)\(round)"))
            for await _ in others[round] { break }
            let killed = try await client.one(
                """
                SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                WHERE query = \(listen(to: "\(channel)\(round)"))
                """
            ) { try $0.decode(Int.self) }
            #expect(killed == 1)
            #expect(await heard.next() == .listening, "no notification is missed after this")
            announce("round \(round)")
            #expect(await heard.next() == .message("round \(round)"))
        }
    }

    @Test func lastSubscriberGone_unlistens() async throws {
        var other = client.announcer.notifications(on: channel + "2").makeAsyncIterator()
        #expect(await other.next() == .listening)
        do {
            var heard = client.announcer.notifications(on: channel).makeAsyncIterator()
            #expect(await heard.next() == .listening)
        }
        // One connection sends all statements in order; its last statement shows the progress.
        var last = ""
        while !last.hasPrefix("UNLISTEN") {
            last = try await client.one(
                """
                SELECT query FROM pg_stat_activity
                WHERE query LIKE \("%\(listen)")
                AND pid <> pg_backend_pid()
                """
            ) { try $0.decode(String.self) }
            if !last.hasPrefix("UNLISTEN") { try await Task.sleep(for: .milliseconds(10)) }
        }
    }

    @Test func slowSubscriber_getsListeningAgain() async throws {
        let heard = client.announcer.notifications(on: channel)
        var iterator = heard.makeAsyncIterator()
        #expect(await iterator.next() == .listening)
        client.announcer.announce((1...3000).map { Announcement("\($0)", on: channel) })
        var echo = client.announcer.notifications(on: channel).makeAsyncIterator()
        #expect(await echo.next() == .listening)
        announce("end")
        while await echo.next() != .message("end") {}
        var sawHint = false
        var received = 0
        while let next = await iterator.next(), next != .message("end") {
            received += 1
            if next == .listening { sawHint = true }
        }
        #expect(sawHint)
        #expect(received < 3000)
    }

    @Test func sequence_endsWithClient() async throws {
        let client = PostgresClient(TestDatabase.current.configuration, logger: .quiet)
        let running = Task { try await client.run() }
        var heard = client.announcer.notifications(on: channel).makeAsyncIterator()
        #expect(await heard.next() == .listening)
        running.cancel()
        #expect(await heard.next() == nil)
        try await running.value
        var late = client.announcer.notifications(on: channel).makeAsyncIterator()
        #expect(await late.next() == nil)
    }

    @Test func announcements_areTimed() async throws {
        let registry = MetricsRegistry()
        let name = "timed \(UInt64.random(in: 0 ... .max))"
        var configuration = client.configuration
        configuration.announcementPause = .milliseconds(1)
        configuration.applicationName = name
        configuration.cache = nil
        let announcing = withMetricsFactory(registry) { [configuration] in
            PostgresClient(configuration, logger: .quiet)
        }
        let running = Task { try await announcing.run() }
        var heard = announcing.announcer.notifications(on: channel).makeAsyncIterator()
        #expect(await heard.next() == .listening)
        func count() throws -> Int {
            let lines = registry.exposition().split(separator: "\n")
            let line = lines.first { $0.hasPrefix("announcement_seconds_count ") }
            return try #require(line?.split(separator: " ").last.flatMap { Int($0) })
        }
        try await eventually("announcements arrive") { try count() >= 3 }
        // A new connection listens again.
        try await client.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = \(name)"
        )
        let before = try count()
        #expect(await heard.next() == .listening)
        try await eventually("announcements arrive again") { try count() >= before + 3 }
        running.cancel()
        try await running.value
    }
}
