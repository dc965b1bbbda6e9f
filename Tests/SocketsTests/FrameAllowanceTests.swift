import NIOCore
import TestKit
import Testing

@testable import Sockets

@Suite(.timeLimit(.minutes(1))) struct FrameAllowanceTests {
    @Test func frameAllowance_isFiftyPerSecond() {
        var now = NIODeadline.uptimeNanoseconds(1_000_000_000)
        var allowance = FrameAllowance(now: now)
        var taken = (0...500).map { _ in allowance.take(now: now) }
        #expect(taken == Array(repeating: true, count: 500) + [false])
        taken = (0..<1000).map { _ in
            now = now + .milliseconds(21)
            return allowance.take(now: now)
        }
        #expect(!taken.contains(false))
        taken = (0..<1000).map { _ in
            now = now + .milliseconds(10)
            return allowance.take(now: now)
        }
        #expect(taken.contains(false))
    }

    @Test func account_keepsAllowanceOverConnections() {
        let now = NIODeadline.uptimeNanoseconds(1_000_000_000)
        let accounts = AccountAllowances(FrameRate(perSecond: 1, burst: 3))
        for _ in 0..<2 { accounts.enter("a", now: now) }
        accounts.enter("b", now: now)
        #expect((0..<4).map { _ in accounts.take("a", now: now) } == [true, true, true, false])
        for _ in 0..<2 { accounts.leave("a") }
        accounts.enter("a", now: now)
        #expect(!accounts.take("a", now: now))
        #expect(accounts.take("b", now: now))
        #expect(accounts.take("a", now: now + .seconds(1)))
    }

    /// CONNECT and four SUBSCRIBE frames are allowed.
    @Test func floodOnSTOMP_isEndedWithError() async throws {
        var limits = STOMPLimits()
        limits.frames = FrameRate(perSecond: 0, burst: 5)
        try await SocketService.run(STOMPEndpoint(Newsroom(), limits: limits)) { host in
            let client = try await STOMPServerTests.client(host)
            for topic in 1...4 { _ = try await client.subscribe("/topic/\(topic)") }
            let error = await #expect(throws: STOMPClientError.self) { _ = try await client.subscribe("/topic/5") }
            #expect(error?.message == "You send too many frames; wait a minute.")
            #expect(await client.end == .closedByPeer(.protocolError, reason: ""))
            _ = try await STOMPServerTests.client(host).subscribe("/topic/1")
        }
    }

    @Test func connectionsOfAccount_shareAllowance() async throws {
        var limits = STOMPLimits()
        limits.accountFrames = FrameRate(perSecond: 0, burst: 3)
        try await SocketService.run(STOMPEndpoint(Newsroom(), limits: limits)) { host in
            let clients = [try await STOMPServerTests.client(host), try await STOMPServerTests.client(host)]
            let stranger = try await STOMPServerTests.client(host, name: "lee")
            for client in clients { _ = try await client.subscribe("/topic/1") }
            _ = try await clients[0].subscribe("/topic/2")
            let error = await #expect(throws: STOMPClientError.self) { _ = try await clients[1].subscribe("/topic/2") }
            #expect(error?.message == "You send too many frames; wait a minute.")
            _ = try await stranger.subscribe("/topic/2")
        }
    }
}
