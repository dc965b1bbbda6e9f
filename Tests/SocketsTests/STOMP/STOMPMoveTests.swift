import Contracts
import HTTPTypes
import NIOCore
import NIOEmbedded
import Synchronization
import TestKit
import Testing
import Values

@testable import Sockets

/// Moves of connections between two copies of a service (`SocketMove`).
@Suite(.timeLimit(.minutes(3))) struct STOMPMoveTests {
    private static func copy(
        of service: Newsroom,
        resumeTime: Duration = .seconds(60)
    ) -> STOMPEndpoint<Newsroom> {
        STOMPEndpoint(service, limits: EmbeddedSTOMP.limits(resumeTime: resumeTime))
    }

    private static let connect = "CONNECT\naccept-version:1.2\nname:kim\n\n\0"
    private static let subscribe = "SUBSCRIBE\nid:1\ndestination:/topic/a\nreceipt:s\n\n\0"

    /// A connection with a subscription.
    private static func subscriber(_ endpoint: STOMPEndpoint<Newsroom>) async throws -> EmbeddedSTOMP {
        let server = try await EmbeddedSTOMP.open(endpoint)
        try await server.receive(connect + subscribe)
        #expect(try await server.text().hasPrefix("CONNECTED\n"))
        #expect(try await server.text() == "RECEIPT\nreceipt-id:s\n\n\0")
        return server
    }

    /// A state that the tests change.
    private static func state() async throws -> [UInt8] {
        let server = try await subscriber(copy(of: Newsroom()))
        try await server.receive("SEND\ndestination:/topic/a\n\nhalf")
        return try await server.leave().state
    }

    // MARK: Frames

    /// A stream of frames, of which a part comes before the move, and the rest after it.
    @Test func framesSplitAnywhere_areHandledOnce() async throws {
        let frames =
            Self.connect + "\n\r\n" + Self.subscribe
            + "SEND\r\ndestination:/topic/a\r\nx\\cy:a\\nb\\\\:\r\ncontent-length:3\r\nreceipt:1\\c\r\n\r\nn\0l\0\n"
            + "SEND\ndestination:/topic/b\nreceipt:2\n\n글\0UNSUBSCRIBE\nid:1\nreceipt:3\n\n\0"
        let bytes = Array(frames.utf8)
        for split in 0...bytes.count {
            let service = Newsroom()
            let (old, new) = (Self.copy(of: service), Self.copy(of: service))
            let server = try await EmbeddedSTOMP.open(old)
            try await server.receive(.data(0x2, Array(bytes[..<split])))
            var (answers, moved) = try await server.move(to: new)
            try await moved.receive(.data(0x2, Array(bytes[split...])))
            while answers.last != "RECEIPT\nreceipt-id:3\n\n\0" { answers.append(try await moved.text()) }
            let kinds = answers.map { $0.prefix { $0 != "\n" } }.sorted()
            #expect(
                kinds == ["CONNECTED", "MESSAGE", "RECEIPT", "RECEIPT", "RECEIPT", "RECEIPT"],
                "split at \(split): \(answers)"
            )
            #expect(answers.contains { $0.hasPrefix("MESSAGE\n") && $0.hasSuffix("\n\nn\0l\0") })
            #expect(answers.contains("RECEIPT\nreceipt-id:1\\c\n\n\0"))
            try await moved.close()
        }
    }

    @Test func version10_keepsItsHeaders() async throws {
        let service = Newsroom()
        let server = try await EmbeddedSTOMP.open(Self.copy(of: service))
        try await server.receive("CONNECT\nname:kim\n\n\0SUBSCRIBE\ndestination:/topic/a\\b:c\n\n\0SEND\nx:\\y\r\r\n")
        let (before, moved) = try await server.move(to: Self.copy(of: service))
        #expect(before.count == 1 && before[0].hasPrefix("CONNECTED\nversion:1.0\n"))
        try await moved.receive("destination:/topic/a\\b:c\n\n{}\0")
        #expect(try await moved.text().hasPrefix("MESSAGE\ndestination:/topic/a\\b:c\n"))
    }

    @Test func messagesDuringMoves_comeOnceAndInOrder() async throws {
        let service = Newsroom()
        var server = try await Self.subscriber(Self.copy(of: service))
        let writer = Task {
            for number in 1...500 {
                service.publish("\(number)", to: "/topic/a")
                if number.isMultiple(of: 10) { try await Task.sleep(for: .milliseconds(1)) }
            }
        }
        var texts: [String] = []
        for _ in 0..<5 {
            let (before, moved) = try await server.move(to: Self.copy(of: service))
            texts += before
            server = moved
            for _ in texts.count..<min(texts.count + 7, 500) { texts.append(try await server.text()) }
        }
        while texts.count < 500 { texts.append(try await server.text()) }
        try await writer.value
        #expect(texts.map { MovingSTOMPClient.body(of: $0) } == (1...500).map { "\($0)" })
        #expect(texts.allSatisfy { $0.contains("\nsubscription:1\n") })
        try await server.close()
        try await eventually { service.log.last == "disconnected kim" }
        #expect(service.log.count { $0 == "moved kim" } == 5)
        #expect(service.log.count { $0 == "disconnected kim" } == 1)
    }

    @Test func frameInProgress_isAnsweredBeforeTheMove() async throws {
        let gate = Rendezvous(2)
        let service = Newsroom(beforeSend: { await gate.arrive() })
        let server = try await Self.subscriber(Self.copy(of: service))
        try await server.receive(
            "SEND\ndestination:/topic/a\nreceipt:1\n\n1\0SUBSCRIBE\nid:2\ndestination:/topic/b\n\n\0"
        )
        async let state = server.leave()
        await gate.arrive()
        let (before, _) = try await state
        #expect(Set(before.map { $0.prefix(8) }) == ["MESSAGE\n", "RECEIPT\n"])
        #expect(service.log.last == "subscribe 2")
    }

    // MARK: Before CONNECT

    @Test func connectionWithoutCONNECT_movesWithItsHandshake() async throws {
        let service = Newsroom()
        let server = try await EmbeddedSTOMP.open(Self.copy(of: service), name: "lee")
        let (before, once) = try await server.move(to: Self.copy(of: service))
        let (_, twice) = try await once.move(to: Self.copy(of: service))
        try await twice.receive("CONNECT\naccept-version:1.2\n\n\0")
        #expect(try await twice.text().hasPrefix("CONNECTED\n"))
        #expect(before.isEmpty && service.log == ["connect lee"])
    }

    @Test func connectInProgress_isWaitedFor() async throws {
        let gate = Rendezvous(2)
        let service = Newsroom(beforeConnect: { _ in await gate.arrive() })
        let server = try await EmbeddedSTOMP.open(Self.copy(of: service))
        try await server.receive(Self.connect)
        async let move = server.move(to: Self.copy(of: service))
        await gate.arrive()
        let (before, moved) = try await move
        #expect(before.count == 1 && before[0].hasPrefix("CONNECTED\n"))
        try await moved.receive(Self.subscribe)
        #expect(try await moved.text() == "RECEIPT\nreceipt-id:s\n\n\0")
    }

    // MARK: Heart-beats

    @Test func heartBeats_goOn() async throws {
        let service = Newsroom()
        let server = try await EmbeddedSTOMP.open(Self.copy(of: service))
        try await server.receive("CONNECT\naccept-version:1.2\nname:kim\nheart-beat:3000,2000\n\n\0")
        #expect(try await server.text(isTimed: true).contains("\nheart-beat:2000,3000\n"))
        let moved = try await server.move(to: Self.copy(of: service), isTimed: true).server
        // Sent after three quarters of the negotiated time.
        await moved.channel.testingEventLoop.advanceTime(by: .milliseconds(1500))
        #expect(try await moved.next(isTimed: true).payload == [10])
        try await moved.receive("\n")
        await moved.channel.testingEventLoop.advanceTime(by: .milliseconds(4500))
        for _ in 0..<3 { #expect(try await moved.next(isTimed: true).payload == [10]) }
        // The client's heart-beats have stopped.
        await moved.channel.testingEventLoop.advanceTime(by: .milliseconds(3000))
        var frame = try await moved.next(isTimed: true)
        while frame.payload == [10] { frame = try await moved.next(isTimed: true) }
        #expect(frame.first == 0x88 && frame.payload.prefix(2) == [0x03, 0xf0])
    }

    // MARK: Refusals

    private static func closeCode(_ frame: Wire) -> UInt16? {
        guard frame.first == 0x88, frame.payload.count >= 2 else { return nil }
        return UInt16(frame.payload[0]) << 8 | UInt16(frame.payload[1])
    }

    @Test func refusedPrincipal_isClosedWithoutFrames() async throws {
        let service = Newsroom(beforeResume: { _, what in
            if what == "kim" { throw STOMPRefusal("Your session has ended.") }
        })
        let endpoint = Self.copy(of: service)
        let moved = try await EmbeddedSTOMP.arriving(endpoint, Self.state())
        #expect(Self.closeCode(try await moved.next()) == 1008)
        try await moved.close()
        #expect(service.log.isEmpty)
    }

    /// The session ends while it is checked.
    @Test func principalRevokedDuringCheck_isClosedWithoutFrames() async throws {
        let (first, second) = (Rendezvous(2), Rendezvous(2))
        let service = Newsroom(beforeResume: { _, what in
            guard what == "kim" else { return }
            await first.arrive()
            await second.arrive()
        })
        let endpoint = Self.copy(of: service)
        let moved = try await EmbeddedSTOMP.arriving(endpoint, Self.state())
        await first.arrive()
        endpoint.closeAll(STOMPRefusal("Your session has ended.")) { $0 == "kim" }
        #expect(Self.closeCode(try await moved.next()) == 1008)
        await second.arrive()
        try await moved.close()
        try await eventually { service.log == ["check kim", "disconnected kim"] }
    }

    private struct Away: Error {}

    @Test func checkThatFails_isRepeated() async throws {
        let attempts = Mutex(0)
        let service = Newsroom(beforeResume: { _, _ in
            let attempt = attempts.withLock { attempts in
                attempts += 1
                return attempts
            }
            if !attempt.isMultiple(of: 3) { throw Away() }
        })
        let moved = try await EmbeddedSTOMP.arriving(Self.copy(of: service), Self.state())
        #expect(try await moved.next().first == 0x83)
        try await moved.receive("\0")
        #expect(try await moved.text().hasSuffix("\n\nhalf\0"))
        #expect(attempts.withLock(\.self) == 6)
    }

    @Test func checkThatKeepsFailing_isLeftToOtherCopy() async throws {
        let service = Newsroom(beforeResume: { _, _ in throw Away() })
        let moved = try await EmbeddedSTOMP.arriving(Self.copy(of: service, resumeTime: .zero), Self.state())
        #expect(Self.closeCode(try await moved.next()) == 1013)
        try await moved.close()
        #expect(service.log.isEmpty)
    }

    @Test func subscriptionThatKeepsFailing_isRefused() async throws {
        let service = Newsroom(beforeResume: { _, what in if what == "1" { throw Away() } })
        let moved = try await EmbeddedSTOMP.arriving(Self.copy(of: service, resumeTime: .zero), Self.state())
        #expect(try await moved.next().first == 0x83)
        #expect(try await moved.text() == "ERROR\nmessage:Try again in a moment.\n\n\0")
        #expect(Self.closeCode(try await moved.next()) == 1002)
        try await moved.close()
        try await eventually { service.log == ["check kim", "disconnected kim"] }
    }

    // MARK: Lost connections

    @Test func connectionLostDuringSuspension_isReportedOnce() async throws {
        let gate = Rendezvous(2)
        let service = Newsroom(beforeSend: { await gate.arrive() })
        let server = try await Self.subscriber(Self.copy(of: service))
        try await server.receive("SEND\ndestination:/topic/a\n\n1\0")
        try await server.beginLeaving()
        let offer = try await server.next()
        try await server.receive(.data(SocketMove.pause, offer.payload))
        try await server.close()
        await gate.arrive()
        try await eventually { service.log.last == "disconnected kim" }
        #expect(service.log == ["connect kim", "subscribe 1", "send /topic/a", "disconnected kim"])
    }

    @Test func connectionLostDuringCheck_isReportedOnce() async throws {
        let (first, second) = (Rendezvous(2), Rendezvous(2))
        let service = Newsroom(beforeResume: { _, _ in
            await first.arrive()
            await second.arrive()
        })
        let moved = try await EmbeddedSTOMP.arriving(Self.copy(of: service), Self.state())
        await first.arrive()
        try await moved.close()
        await second.arrive()
        try await eventually { service.log == ["check kim", "disconnected kim"] }
    }

    // MARK: Broken states

    private static func isUnderstood(_ state: [UInt8]) async throws -> Bool {
        let loop = NIOAsyncTestingEventLoop()
        let endpoint = copy(of: Newsroom())
        return try await loop.executeInContext {
            (try? endpoint.delegate(resuming: ByteBuffer(bytes: state), on: loop)) != nil
        }
    }

    private static func payload(_ state: [UInt8]) -> [UInt8] {
        Array(state.drop { $0 != 0x0a }.dropFirst())
    }

    @Test func truncatedState_isRefused() async throws {
        let state = Self.payload(try await Self.state())
        #expect(try await Self.isUnderstood(state))
        for length in 0..<state.count { #expect(try await !Self.isUnderstood(Array(state[..<length]))) }
    }

    @Test func changedState_isRefusedOrServed() async throws {
        let (state, service) = (try await Self.state(), Newsroom())
        let start = state.count - Self.payload(state).count
        var random = SplitMix(state: 7)
        for _ in 0..<500 {
            var changed = state
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                changed[Int.random(in: start..<state.count, using: &random)] = UInt8.random(
                    in: 0 ... .max,
                    using: &random
                )
            }
            let server = try await EmbeddedSTOMP.arriving(Self.copy(of: service), changed)
            #expect([0x83, 0x88].contains(try await server.next().first))
            try await server.close()
        }
        for length in 0..<200 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0 ... .max, using: &random) }
            #expect(try await !Self.isUnderstood(bytes))
        }
    }

    @Test(
        arguments: [
            ("\"0,0\"", "\"0\""), ("\"0,0\"", "\"-1,0\""), ("\"0,0\"", "\"0,9223372036854775807\""),
            ("\"1.2\"", "\"1.3\""), ("\"subscriptions\":[", "\"subscriptions\":[{\"id\":\"1\",\"destination\":\"b\"},"),
        ]
    )
    func invalidState_isRefused(_ old: String, _ new: String) async throws {
        let state = String(decoding: Self.payload(try await Self.state()), as: UTF8.self)
        #expect(state.contains(old))
        #expect(try await !Self.isUnderstood(Array(state.replacing(old, with: new).utf8)))
    }
}
