import TestKit
import Testing

@testable import Postgres

@Suite(.database(), .timeLimit(.minutes(5)))
struct NotificationTests {
    private var client: PostgresClient { TestDatabase.current.client }
    /// Channels belong to the whole database, so concurrent tests must not share one.
    private let channel = "channel \"\(UInt64.random(in: 0 ... .max))\""

    private func announce(_ message: String) async throws {
        try await client.execute("SELECT pg_notify(\(channel), \(message))")
    }

    @Test func subscribers_receiveNotificationsAfterListening() async throws {
        var one = client.notifications(on: channel).makeAsyncIterator()
        var two = client.notifications(on: channel).makeAsyncIterator()
        var other = client.notifications(on: channel + "2").makeAsyncIterator()
        #expect(await one.next() == .listening)
        #expect(await two.next() == .listening)
        #expect(await other.next() == .listening)
        for number in 0..<100 { try await announce("message \(number)") }
        for number in 0..<100 {
            #expect(await one.next() == .message("message \(number)"))
            #expect(await two.next() == .message("message \(number)"))
        }
        try await client.execute("SELECT pg_notify(\(channel + "2"), 'for the other')")
        #expect(await other.next() == .message("for the other"))
        var late = client.notifications(on: channel).makeAsyncIterator()
        #expect(await late.next() == .listening)
    }

    @Test func notification_isDeliveredOnCommitOnly() async throws {
        var heard = client.notifications(on: channel).makeAsyncIterator()
        #expect(await heard.next() == .listening)
        struct Refusal: Error {}
        _ = try? await client.transaction { transaction in
            try await transaction.execute("SELECT pg_notify(\(channel), 'rolled back')")
            throw Refusal()
        }
        try await client.transaction { try await $0.execute("SELECT pg_notify(\(channel), 'committed')") }
        #expect(await heard.next() == .message("committed"))
    }

    @Test func lostConnection_isReplaced_andReported() async throws {
        var heard = client.notifications(on: channel).makeAsyncIterator()
        #expect(await heard.next() == .listening)
        for round in 0..<3 {
            let killed = try await client.one(
                """
                SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                WHERE query = \("LISTEN \"\(channel.replacing("\"", with: "\"\""))\"")
                """
            ) { try $0.decode(Int.self) }
            #expect(killed == 1)
            #expect(await heard.next() == .listening, "no notification is missed after this")
            try await announce("round \(round)")
            #expect(await heard.next() == .message("round \(round)"))
        }
    }

    @Test func lastSubscriberGone_unlistens() async throws {
        var other = client.notifications(on: channel + "2").makeAsyncIterator()
        #expect(await other.next() == .listening)
        do {
            var heard = client.notifications(on: channel).makeAsyncIterator()
            #expect(await heard.next() == .listening)
        }
        // One connection sends all statements in order; its last statement shows the progress.
        var last = ""
        while !last.hasPrefix("UNLISTEN") {
            last = try await client.one(
                """
                SELECT query FROM pg_stat_activity
                WHERE query LIKE \("%LISTEN \"\(channel.replacing("\"", with: "\"\""))%")
                AND pid <> pg_backend_pid()
                """
            ) { try $0.decode(String.self) }
            if !last.hasPrefix("UNLISTEN") { try await Task.sleep(for: .milliseconds(10)) }
        }
    }

    @Test func slowSubscriber_getsListeningAgain() async throws {
        let heard = client.notifications(on: channel)
        var iterator = heard.makeAsyncIterator()
        #expect(await iterator.next() == .listening)
        _ = try await client.execute("SELECT pg_notify(\(channel), n::text) FROM generate_series(1, 3000) AS n")
        var echo = client.notifications(on: channel).makeAsyncIterator()
        #expect(await echo.next() == .listening)
        try await announce("end")
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
        var heard = client.notifications(on: channel).makeAsyncIterator()
        #expect(await heard.next() == .listening)
        running.cancel()
        #expect(await heard.next() == nil)
        try await running.value
        var late = client.notifications(on: channel).makeAsyncIterator()
        #expect(await late.next() == nil)
    }
}
