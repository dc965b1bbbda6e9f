import NIOCore
import TestKit
import Testing

@testable import NATS

/// The client with the installed nats-server.
@Suite(
    .enabled(if: NATSServer.isInstalled, "nats-server is not installed: apt-get install nats-server"),
    .timeLimit(.minutes(2))
)
struct NATSServerTests {
    private static func refusal(_ url: String) async throws -> String {
        let client = NATSClient(
            try NATSConfiguration(url: url),
            name: "test",
            limits: RunningClient.limits,
            logger: .quiet
        ) { _, _ in }
        do {
            try await client.check()
            return ""
        } catch {
            return error.description
        }
    }

    private static func untilStarted(_ url: String) async throws {
        try await RunningClient.with(url) { running in
            for await event in running.events where event == .connected { break }
        }
    }

    @Test func messages_reachSubscribersOnly_andNotTheirSender() async throws {
        try await NATSServer.with { server in
            try await RunningClient.with(server.url) { one in
                try await RunningClient.with(server.url) { two in
                    var (heardByOne, heardByTwo) = (one.events.makeAsyncIterator(), two.events.makeAsyncIterator())
                    one.client.subscribe(to: "room.*")
                    two.client.subscribe(to: "room.7")
                    while await heardByOne.next() != .connected {}
                    while await heardByTwo.next() != .connected {}
                    await one.client.confirm()
                    await two.client.confirm()
                    for number in 0..<2000 { one.client.publish("\(number)", to: "room.7") }
                    one.client.publish("8", to: "room.8")
                    for number in 0..<2000 {
                        #expect(await heardByTwo.next() == .message(subject: "room.7", payload: "\(number)"))
                    }
                    two.client.publish("back", to: "room.9")
                    #expect(await heardByOne.next() == .message(subject: "room.9", payload: "back"))
                    two.client.unsubscribe(from: "room.7")
                    two.client.subscribe(to: "end")
                    await two.client.confirmSubscriptions()
                    one.client.publish("gone", to: "room.7")
                    one.client.publish("", to: "end")
                    #expect(await heardByTwo.next() == .message(subject: "end", payload: ""))
                }
            }
        }
    }

    @Test func credentialsAndTokens_areChecked() async throws {
        try await NATSServer.with(["--user", "us@er", "--pass", "s/cret"]) { server in
            let address = "127.0.0.1:\(server.port)"
            try await Self.untilStarted("nats://us%40er:s%2Fcret@\(address)")
            #expect(try await Self.refusal("nats://us%40er:s%2Fcret@\(address)") == "")
            for other in ["us%40er:wrong@", "s%2Fcret@", ""] {
                #expect(try await Self.refusal("nats://\(other)\(address)").contains("Authorization Violation"))
            }
        }
        try await NATSServer.with(["--auth", "t0ken"]) { server in
            let address = "127.0.0.1:\(server.port)"
            try await Self.untilStarted("nats://t0ken@\(address)")
            #expect(try await Self.refusal("nats://other@\(address)").contains("Authorization Violation"))
        }
    }

    @Test func cluster_isCompared() async throws {
        try await NATSServer.with(["--cluster_name", "madang", "--cluster", "nats://127.0.0.1:-1"]) { server in
            try await Self.untilStarted("\(server.url)?cluster=madang")
            #expect(try await Self.refusal("\(server.url)?cluster=madang") == "")
            #expect(try await Self.refusal("\(server.url)?cluster=other").contains("the cluster madang, not to other"))
        }
    }

    @Test func tls_isNotOffered_isRefused() async throws {
        try await NATSServer.with { server in
            try await Self.untilStarted(server.url)
            #expect(try await Self.refusal("tls://127.0.0.1:\(server.port)").contains("offers no TLS"))
        }
    }

    @Test func killedAndPausedServer_isLeft_andFoundAgain() async throws {
        let limits = RunningClient.limits(silence: .seconds(2))
        try await NATSServer.with { server in
            try await RunningClient.with(server.url, limits: limits) { running in
                var events = running.events.makeAsyncIterator()
                running.client.subscribe(to: "a")
                while await events.next() != .connected {}
                await server.kill()
                #expect(await events.next() == .disconnected)
                try await server.start()
                #expect(await events.next() == .connected)
                server.pause()
                #expect(await events.next() == .disconnected)
                server.resume()
                #expect(await events.next() == .connected)
                try await RunningClient.with(server.url) { other in
                    for await event in other.events where event == .connected { break }
                    other.client.publish("here", to: "a")
                    let heard = await events.next(isolation: #isolation)
                    #expect(heard == .message(subject: "a", payload: "here"))
                }
            }
        }
    }

    @Test func oneOfTwoServers_isEnough() async throws {
        try await NATSServer.with { one in
            try await NATSServer.with { two in
                try await RunningClient.with("\(one.url),127.0.0.1:\(two.port)") { running in
                    var events = running.events.makeAsyncIterator()
                    while await events.next() != .connected {}
                    for server in [one, two, one] {
                        await server.kill()
                        // The connection was to this one, or stays.
                        try await eventually { await running.client.confirm() }
                        try await server.start()
                    }
                }
            }
        }
    }
}
