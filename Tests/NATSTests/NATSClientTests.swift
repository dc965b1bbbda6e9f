import NIOCore
import Synchronization
import TestKit
import Testing

@testable import NATS

/// The client with servers that answer as each test says.
@Suite(.timeLimit(.minutes(2))) struct NATSClientTests {
    private static func check(
        _ url: String,
        limits: NATSClient.Limits = RunningClient.limits,
        log: RecordedLog = RecordedLog()
    ) async throws {
        let configuration = try NATSConfiguration(url: url)
        let client = NATSClient(configuration, name: "test", limits: limits, logger: log.logger) { _, _ in }
        try await client.check()
    }

    private static func refusal(_ url: String, limits: NATSClient.Limits = RunningClient.limits) async throws -> String
    {
        do {
            try await check(url, limits: limits)
            return ""
        } catch let error as NATSRefusal {
            return error.description
        }
    }

    private static func url(_ servers: ScriptedServer..., query: String = "") -> String {
        "nats://user:secret@" + servers.map { "127.0.0.1:\($0.port)" }.joined(separator: ",") + query
    }

    // MARK: First contact

    @Test func connect_saysWhoTheClientIs() async throws {
        let server = try await ScriptedServer.start()
        try await Self.check(Self.url(server))
        let connect = try #require(server.lines.first { $0.hasPrefix("CONNECT ") })
        for part in [
            #""verbose":false"#, #""pedantic":false"#, #""echo":false"#, #""name":"test""#, #""user":"user""#,
            #""pass":"secret""#, #""protocol":1"#,
        ] { #expect(connect.contains(part), "\(connect)") }
        try await server.stop()
    }

    @Test func wrongCredentials_areRefusedWithASentence() async throws {
        let server = try await ScriptedServer.start { line in
            line.hasPrefix("CONNECT") ? "-ERR 'Authorization Violation'\r\n" : nil
        }
        let refusal = try await Self.refusal(Self.url(server))
        #expect(
            refusal == "no NATS server can be used: 127.0.0.1:\(server.port) answers: Authorization Violation"
        )
        try await server.stop()
    }

    @Test func otherCluster_isRefused() async throws {
        let other = try await ScriptedServer.start(#"INFO {"cluster":"other"}"# + "\r\n")
        let none = try await ScriptedServer.start()
        #expect(
            try await Self.refusal(Self.url(other, query: "?cluster=mine")).contains("the cluster other, not to mine")
        )
        #expect(try await Self.refusal(Self.url(none, query: "?cluster=mine")).contains("no cluster, not to mine"))
        #expect(try await Self.refusal(Self.url(other, query: "?cluster=other")) == "")
        // Nothing was sent to the wrong ones, the password least of all.
        #expect(none.lines == [])
        try await other.stop()
        try await none.stop()
    }

    @Test(arguments: [
        "HTTP/1.1 400 Bad Request\r\n\r\n", "220 mail ESMTP\r\n", "PING\r\n", "+OK\r\n", "\u{0}\u{1}\u{2}\n",
        "INFO x\r\n",
    ])
    func greetingOfAnotherProtocol_isRefused(greeting: String) async throws {
        let server = try await ScriptedServer.start(greeting)
        #expect(try await Self.refusal(Self.url(server)).contains("does not speak NATS"))
        #expect(!server.lines.contains { $0.contains("secret") })
        try await server.stop()
    }

    /// A server of HTTP says nothing before the client does.
    @Test(arguments: ["HTTP/1.1 400 Bad Request\r\n\r\n", "close"])
    func serverThatWaitsForTheClient_isRefused(answer: String) async throws {
        let server = try await ScriptedServer.start(nil) { _ in answer }
        var limits = RunningClient.limits
        limits.greeting = .milliseconds(50)
        #expect(try await Self.refusal(Self.url(server), limits: limits).contains("does not speak NATS"))
        try await server.stop()
    }

    @Test func tls_notOffered_isRefused() async throws {
        let server = try await ScriptedServer.start()
        let url = "tls://127.0.0.1:\(server.port)"
        #expect(try await Self.refusal(url).contains("offers no TLS"))
        try await server.stop()
    }

    @Test func tls_ofABrokenServer_isRefused() async throws {
        let server = try await ScriptedServer.start(#"INFO {"tls_required":true}"# + "\r\n") { _ in nil }
        async let refusal = Self.refusal("nats://127.0.0.1:\(server.port)")
        try await eventually { server.count == 1 }
        // The client sends its TLS greeting, which has no line end; this is no answer to it.
        for _ in 0..<20 {
            server.send("no TLS\r\n")
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(try await refusal.contains("TLS with 127.0.0.1:\(server.port) fails"))
        try await server.stop()
    }

    @Test func hostsThatMayComeBack_areNoReasonToEnd() async throws {
        let gone = try await ScriptedServer.start()
        try await gone.stop()
        let silent = try await ScriptedServer.start(nil) { _ in nil }
        let closing = try await ScriptedServer.start { _ in "close" }
        let full = try await ScriptedServer.start { line in
            line.hasPrefix("CONNECT") ? "-ERR 'maximum connections exceeded'\r\n" : nil
        }
        let limits = RunningClient.limits(silence: .milliseconds(500))
        for server in [gone, silent, closing, full] {
            #expect(try await Self.refusal(Self.url(server), limits: limits) == "")
        }
        for server in [silent, closing, full] { try await server.stop() }
    }

    @Test func halfOfTheHosts_isEnough_andTheOthersAreNamed() async throws {
        let good = try await ScriptedServer.start()
        let wrong = try await ScriptedServer.start("HTTP/1.1 400 Bad Request\r\n\r\n")
        let gone = try await ScriptedServer.start()
        try await gone.stop()
        let log = RecordedLog()
        try await Self.check(Self.url(good, wrong, gone), log: log)
        let reasons = log.lines.compactMap { $0.metadata["reason"] }.sorted()
        #expect(reasons.count == 2)
        #expect(reasons.contains { $0.contains("127.0.0.1:\(wrong.port) does not speak NATS") })
        #expect(reasons.contains { $0.contains("127.0.0.1:\(gone.port) cannot be reached") })
        try await RunningClient.with(Self.url(good, wrong, gone)) { running in
            for await event in running.events where event == .connected { break }
        }
        try await good.stop()
        try await wrong.stop()
    }

    // MARK: Connected

    @Test func subscriptions_areSentAgainOnceEach_afterALoss() async throws {
        let server = try await ScriptedServer.start()
        try await RunningClient.with(Self.url(server)) { running in
            var events = running.events.makeAsyncIterator()
            for subject in ["a", "b", "b", "c"] { running.client.subscribe(to: subject) }
            #expect(await events.next() == .connected)
            running.client.unsubscribe(from: "a")
            running.client.unsubscribe(from: "b")
            await running.client.confirm()
            #expect(server.lines.filter { $0.hasPrefix("SUB") }.sorted() == ["SUB a 1", "SUB b 2", "SUB c 3"])
            #expect(server.lines.filter { $0.hasPrefix("UNSUB") } == ["UNSUB 1"])
            let before = server.lines.count
            server.closeConnections()
            #expect(await events.next() == .disconnected)
            #expect(await events.next() == .connected)
            let again = server.lines.dropFirst(before)
            #expect(again.filter { $0.hasPrefix("SUB") }.sorted() == ["SUB b 2", "SUB c 3"])
            // The server's answer to the PING behind them is what says that they are in effect.
            let last = try #require(again.lastIndex { $0.hasPrefix("SUB") })
            #expect(again[last...].contains("PING"))
        }
        try await server.stop()
    }

    @Test func messagesAndPings_areAnswered_inAnyParts() async throws {
        let server = try await ScriptedServer.start()
        try await RunningClient.with(Self.url(server)) { running in
            var events = running.events.makeAsyncIterator()
            #expect(await events.next() == .connected)
            for byte in "MSG a.b 1 5\r\nhello\r\nPING\r\nMSG a 1 r 0\r\n\r\n" { server.send(String(byte)) }
            #expect(await events.next() == .message(subject: "a.b", payload: "hello"))
            #expect(await events.next() == .message(subject: "a", payload: ""))
            try await eventually { server.lines.contains("PONG") }
        }
        try await server.stop()
    }

    @Test func garbage_closesTheConnection_andTheClientComesBack() async throws {
        let server = try await ScriptedServer.start()
        try await RunningClient.with(Self.url(server)) { running in
            var events = running.events.makeAsyncIterator()
            #expect(await events.next() == .connected)
            for garbage in ["MSG a\r\n", "MSG a 1 9999999\r\n", "\u{0}\r\n", String(repeating: "x", count: 40_000)] {
                server.send(garbage)
                #expect(await events.next() == .disconnected)
                #expect(await events.next() == .connected)
            }
        }
        try await server.stop()
    }

    @Test func silentServer_isLeft() async throws {
        let log = RecordedLog()
        let isSilent = Mutex(false)
        let server = try await ScriptedServer.start { line in
            line.hasPrefix("PING") && !isSilent.withLock(\.self) ? "PONG\r\n" : nil
        }
        let limits = RunningClient.limits(silence: .seconds(1))
        try await RunningClient.with(Self.url(server), limits: limits, log: log) { running in
            var events = running.events.makeAsyncIterator()
            while await events.next() != .connected {}
            isSilent.withLock { $0 = true }
            #expect(await events.next() == .disconnected)
        }
        #expect(log.lines.contains { $0.metadata["reason"]?.contains("does not answer") == true })
        try await server.stop()
    }

    @Test func idleServer_isAskedAndKept() async throws {
        let server = try await ScriptedServer.start()
        let limits = RunningClient.limits(silence: .seconds(8))
        try await RunningClient.with(Self.url(server), limits: limits) { running in
            var events = running.events.makeAsyncIterator()
            #expect(await events.next() == .connected)
            // Two are part of the start; one more is sent each four seconds.
            try await eventually { server.lines.count { $0 == "PING" } > 4 }
            #expect(server.count == 1)
        }
        try await server.stop()
    }

    @Test func messages_withoutConnectionOrPastTheLimit_areNotTaken() async throws {
        let gone = try await ScriptedServer.start()
        try await gone.stop()
        try await RunningClient.with(Self.url(gone)) { running in
            var events = running.events.makeAsyncIterator()
            #expect(await events.next() == .disconnected)
            #expect(!running.client.publish("x", to: "a"))
            #expect(await running.client.confirm() == false)
            await running.client.confirmSubscriptions()
        }
        let server = try await ScriptedServer.start(#"INFO {"max_payload":1000}"# + "\r\n")
        var limits = RunningClient.limits
        limits.outgoing = 100
        try await RunningClient.with(Self.url(server), limits: limits) { running in
            var events = running.events.makeAsyncIterator()
            #expect(await events.next() == .connected)
            #expect(!running.client.publish(String(repeating: "x", count: 1001), to: "a"))
            #expect(!running.client.publish(String(repeating: "x", count: 101), to: "a"))
            #expect(running.client.publish("방", to: "a.b"))
            await running.client.confirm()
            #expect(server.lines.contains("PUB a.b 3"))
            #expect(server.lines.contains("방"))
        }
        try await server.stop()
    }

    @Test func end_sendsWhatWaits_andConfirmationsEnd() async throws {
        let server = try await ScriptedServer.start()
        try await RunningClient.with(Self.url(server)) { running in
            var events = running.events.makeAsyncIterator()
            #expect(await events.next() == .connected)
            for number in 1...1000 { running.client.publish("\(number)", to: "a") }
        }
        try await eventually { server.lines.last == "1000" }
        #expect(server.lines.count { $0.hasPrefix("PUB a ") } == 1000)
        try await server.stop()
    }
}
