import Contracts
import Glibc
import NIOPosix
import Synchronization
import TestKit
import Testing

@testable import Gateway

/// Each connection has one owner when one of the two dies or errs in the exchange.
@Suite(.timeLimit(.minutes(2)))
struct HandoverFailureTests {
    /// Threads of their own, because gateways of the same process use the common ones while these wait for them.
    private static let threads = {
        let threads = NIOThreadPool(numberOfThreads: 16)
        threads.start()
        return threads
    }()

    private static func path() -> String { "/tmp/handover-\(UInt32.random(in: 0 ... .max))" }

    private static func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value
    {
        try await threads.runIfActive(body)
    }

    /// On a busy machine a predecessor may take long to end.
    @Test func successorWhoseAdminPortIsTaken_triesAgain_untilItIsFree() async throws {
        let log = RecordedLog()
        try await TestGateway.run { holder in
            // The first gateway takes the last one.
            let ports = Mutex([holder.adminPort, 0])
            async let release: Void = {
                try await eventually("the port is missed") {
                    log.lines.contains { $0.message.contains("ADMIN_PORT is still taken") }
                }
                await holder.shutDown()
            }()
            try await HandoverTests.succeed(
                HandoverTests.upstreams(try await HandoverTests.service()),
                log: log,
                configure: { configuration in
                    guard let port = ports.withLock({ $0.popLast() }), port > 0 else { return }
                    configuration.adminPort = port
                    configuration.drainTime = .milliseconds(100)
                },
                before: { [try await HandoverTests.tunnel($0)] },
                after: { try await HandoverTests.expectEcho("at last", $1[0]) }
            )
            try await release
        }
    }

    // MARK: A successor that fails

    /// What a successor has done when it dies.
    enum Moment: CaseIterable {
        case connected, greeted, gotPorts, served, gotConnections
    }

    /// Takes over as far as the moment. What was received is closed with the process, as the kernel does.
    private static func die(at moment: Moment, _ path: String) throws {
        guard let socket = try DescriptorSocket.connect(to: path), moment != .connected else { return }
        socket.setTimeout(seconds: 60)
        try socket.send(.hello(version: HandoverMessage.version))
        guard moment != .greeted else { return }
        closeAll(try socket.receiveMessage().1)
        guard moment != .gotPorts else { return }
        try socket.receive(.revocations([]))
        try socket.send(.serving)
        guard moment != .served else { return }
        let (message, descriptors) = try socket.receiveMessage()
        closeAll(descriptors)
        guard case .connections = message else { throw DescriptorSocket.Unexpected(message: message) }
    }

    @Test(arguments: Moment.allCases)
    func successorThatDies_leavesAllConnections(_ moment: Moment) async throws {
        let path = Self.path()
        try await HandoverTests.succeed(HandoverTests.upstreams(try await HandoverTests.service()), path: path) {
            gateway in
            let tunnel = try await HandoverTests.tunnel(gateway)
            try await eventually("a successor can come") { access(path, F_OK) == 0 }
            try await Self.blocking { try Self.die(at: moment, path) }
            try await HandoverTests.expectEcho("still", tunnel)
            return [tunnel, try await HandoverTests.tunnel(gateway)]
        } after: { _, tunnels in
            for tunnel in tunnels { try await HandoverTests.expectEcho("at last", tunnel) }
        }
    }

    @Test(arguments: [#"{"hello":{"version":2}}"#, #"{"done":{}}"#, "{}", "GET / HTTP/1.1\r\n\r\n", "\0"])
    func strangeMessage_endsTheExchangeOnly(_ text: String) async throws {
        let path = Self.path()
        try await HandoverTests.succeed(HandoverTests.upstreams(try await HandoverTests.service()), path: path) {
            gateway in
            let tunnel = try await HandoverTests.tunnel(gateway)
            try await eventually("a successor can come") { access(path, F_OK) == 0 }
            try await Self.blocking {
                let socket = try DescriptorSocket.connect(to: path)
                try socket?.send(.init(text.utf8))
                #expect(throws: DescriptorSocket.Ended.self) { try socket?.receive() }
            }
            try await HandoverTests.expectEcho("still", tunnel)
            return [tunnel]
        } after: { _, tunnels in
            try await HandoverTests.expectEcho("at last", tunnels[0])
        }
    }

    // MARK: A predecessor that fails

    /// Two ends of a connection, of which the first is given away. Reads of the other take a second at most.
    private struct Pair: Sendable {
        let given: CInt
        let kept: CInt

        init() throws {
            var ends: [CInt] = [0, 0]
            guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
                throw DescriptorSocket.Failure("socketpair")
            }
            (given, kept) = (ends[0], ends[1])
            var time = timeval(tv_sec: 1, tv_usec: 0)
            setsockopt(kept, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        }

        func write(_ text: String) { _ = Glibc.write(kept, text, text.utf8.count) }

        /// - Returns: nil if nothing has come.
        func read() -> String? {
            var bytes = [UInt8](repeating: 0, count: 100)
            let count = Glibc.read(kept, &bytes, bytes.count)
            return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
        }
    }

    /// Gives a tunnel away up to the successor's `adopted`.
    private static func give(_ client: Pair, _ service: Pair, to successor: DescriptorSocket) throws {
        successor.setTimeout(seconds: 60)
        try successor.receive(.hello(version: HandoverMessage.version))
        try successor.send(.ports([]))
        try successor.send(.revocations([]))
        try successor.receive(.serving)
        let tunnel = MovedTunnel(fromClient: FrameWalker(), fromService: FrameWalker(), idleMilliseconds: 0)
        try successor.send(.connections([MovedConnection(tunnel: tunnel)]), [client.given, service.given])
        try successor.receive(.adopted)
        closeAll([client.given, service.given])
    }

    private static func withSuccessor(_ test: @escaping @Sendable (DescriptorSocket) throws -> Void) async throws {
        let path = path()
        defer { unlink(path) }
        let listening = try DescriptorSocket.listen(at: path)
        let exchange = Task {
            try await blocking {
                guard let successor = listening.accept() else { throw DescriptorSocket.Ended() }
                try test(successor)
            }
        }
        try await TestGateway.run(configure: { $0.handoverSocket = path }) { _ in try await exchange.value }
    }

    @Test func connection_standsStill_untilItIsTheSuccessors() async throws {
        try await Self.withSuccessor { successor in
            let (client, service) = (try Pair(), try Pair())
            try Self.give(client, service, to: successor)
            client.write("\u{1}\u{1}a")
            #expect(service.read() == nil)
            try successor.send(.own)
            #expect(service.read() == "\u{1}\u{1}a")
            service.write("\u{1}\u{1}b")
            #expect(client.read() == "\u{1}\u{1}b")
            closeAll([client.kept, service.kept])
            try successor.send(.done)
        }
    }

    @Test func connectionOfDeadPredecessor_isTheSuccessors() async throws {
        try await Self.withSuccessor { successor in
            let (client, service) = (try Pair(), try Pair())
            try Self.give(client, service, to: successor)
            successor.end()
            client.write("\u{1}\u{1}a")
            #expect(service.read() == "\u{1}\u{1}a")
            closeAll([client.kept, service.kept])
        }
    }
}
