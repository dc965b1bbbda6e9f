import FoundationEssentials
import Glibc
import NIOCore
import PostgresServer
import TestKit
import Testing
import Values

@testable import Gateway

/// Gateways in processes of their own, of which one dies while the other takes over: a WebSocket works on or is closed
/// with the process that had it, and in the end a whole takeover loses none.
///
/// `MADANG_CRASH_ROUNDS` sets the number of crashes, `MADANG_CRASH_SOCKETS` that of sockets, `MADANG_CRASH_SEED` the seed.
@Suite(.timeLimit(.minutes(60)))
struct HandoverCrashTests {
    private static let begins = "handover: connections go to a successor"

    private static func setting(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment["MADANG_CRASH_\(name)"].flatMap { UInt64($0) }
    }

    /// Gateways at one port, one after the other.
    private struct Gateways {
        let port: Int
        let environment: [String: String]
        let log: String

        func start() async throws -> ProgramProcess {
            try await ProgramProcess.start("gateway", environment: environment, log: log)
        }

        func startFirst() async throws -> ProgramProcess {
            let first = try await start()
            try await eventually("the gateway serves") { try await isServing() }
            return first
        }

        /// Starts another one, and waits until it accepts connections.
        func startNext() async throws -> ProgramProcess {
            let served = lines(with: "server: listening").count
            let next = try await start()
            try await eventually("the next gateway serves") { lines(with: "server: listening").count > served }
            return next
        }

        /// A takeover without a crash.
        func replace(_ old: ProgramProcess) async throws -> ProgramProcess {
            let taken = lines(with: "handover: taken over").count
            let next = try await start()
            try await eventually("all is taken over", within: .seconds(60)) {
                lines(with: "handover: taken over").count > taken
            }
            await old.end()
            return next
        }

        func lines(with text: String) -> [Substring] {
            let content = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
            return content.split(separator: "\n").filter { $0.contains(text) }
        }

        /// How many connections went over in each takeover, of which both sides may speak.
        var moved: [Int] {
            lines(with: "handover:").compactMap { line in
                line.firstMatch(of: /"(?:connections|given)":"?(\d+)/).flatMap { Int($0.1) }
            }
        }

        /// Whether requests are answered.
        func isServing() async throws -> Bool {
            guard let connection = try? await RawConnection.connect(to: port) else { return false }
            try? await connection.send("GET /readyz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            return await connection.readMessage()?.status == 200
        }

        func open() async throws -> RawConnection {
            let connection = try await RawConnection.connect(to: port)
            try await connection.send(WebSocketText.handshake())
            let answer = await connection.readMessage()
            try #require(answer?.status == 101)
            return connection
        }
    }

    /// Whether a socket still works; it is closed otherwise, and never hangs or doubles.
    private static func works(_ connection: RawConnection, _ number: Int) async -> Bool {
        let text = HandoverTests.frame("\(number)")
        guard (try? await connection.send(text)) != nil else { return false }
        guard let echo = await connection.read({ $0.readString(length: text.utf8.count) }) else { return false }
        #expect(echo == text)
        return true
    }

    private static func working(_ connections: [RawConnection], _ number: Int) async -> [RawConnection] {
        var working: [RawConnection] = []
        for connection in connections where await works(connection, number) { working.append(connection) }
        return working
    }

    private static func withGateways(_ body: @escaping @Sendable (Gateways) async throws -> Void) async throws {
        let service = try await HandoverTests.service()
        try await TestKey().published { authURL in
            let ports = try FreePort.find(2)
            let folder = FileManager.default.temporaryDirectory.appending(path: "handover-\(UUID())").path()
            defer { for end in ["log", "socket"] { unlink("\(folder).\(end)") } }
            try await body(
                Gateways(
                    port: ports[0],
                    environment: [
                        "HOST": "127.0.0.1", "PORT": "\(ports[0])", "ADMIN_PORT": "\(ports[1])", "AUTH_URL": authURL,
                        "SEATS_URL": "http://127.0.0.1:\(service.port)", "HANDOVER_SOCKET": "\(folder).socket",
                        "GATEWAY_ACCESS_LOG": "off", "GATEWAY_THREADS": "2", "RATE_ADDRESS": "0",
                        "MAX_CONNECTIONS_PER_ADDRESS": "20000",
                    ],
                    log: "\(folder).log"
                )
            )
        }
    }

    @Test func randomCrashes_leaveEachSocketOneOwner() async throws {
        let sockets = Int(Self.setting("SOCKETS") ?? 200)
        try await Self.withGateways { gateways in
            var random = SplitMix(state: Self.setting("SEED") ?? 4711)
            var current = try await gateways.startFirst()
            var connections: [RawConnection] = []
            for round in 0..<Int(Self.setting("ROUNDS") ?? 4) {
                while connections.count < sockets { connections.append(try await gateways.open()) }
                let reports = gateways.moved.count
                let next = try await gateways.startNext()
                try await Task.sleep(for: .milliseconds(Int.random(in: 0..<max(40, sockets / 3), using: &random)))
                let isOldKilled = Bool.random(using: &random)
                let (killed, other) = isOldKilled ? (current, next) : (next, current)
                await killed.end()
                try await eventually("the other one says what has moved, or has ended before", within: .seconds(60)) {
                    gateways.moved.count > reports || !other.isRunning
                }
                let moved = gateways.moved.dropFirst(reports).first ?? sockets
                current = other
                if !isOldKilled, moved == sockets {
                    // One that is killed after it has taken all over leaves no other.
                    await other.end()
                    current = try await gateways.startFirst()
                }
                try await eventually("the other one serves") { try await gateways.isServing() }
                connections = await Self.working(connections, round)
                let name = isOldKilled ? "old" : "new"
                print("handover: \(name) killed, \(connections.count) of \(sockets) sockets stay")
                #expect(connections.count == (isOldKilled ? moved : sockets - moved))
                current = try await gateways.replace(current)
                let kept = await Self.working(connections, round + 100)
                #expect(kept.count == connections.count)
            }
            await current.end()
        }
    }

    /// The successor stands still for longer than it is waited for: it is killed, with what it has.
    @Test func stoppedSuccessor_isKilled_andTheRestStays() async throws {
        try await Self.withGateways { gateways in
            var current = try await gateways.startFirst()
            var connections: [RawConnection] = []
            for _ in 0..<500 { connections.append(try await gateways.open()) }
            // On a slow machine all may have moved before the first signal; then the next takeover is tried.
            for attempt in 1...20 {
                let reports = gateways.moved.count
                let begun = gateways.lines(with: Self.begins).count
                let next = try await gateways.start()
                // One that stands still before is a successor that starts, which has longer.
                try await eventually("connections go over") { gateways.lines(with: Self.begins).count > begun }
                // Nothing moves while the second signal is sent.
                current.send(SIGSTOP)
                next.send(SIGSTOP)
                current.send(SIGCONT)
                try await eventually("the first one says what has moved, or has ended", within: .seconds(60)) {
                    gateways.moved.count > reports || !current.isRunning
                }
                let moved = gateways.moved.dropFirst(reports).first ?? 500
                if moved == 500 {
                    next.send(SIGCONT)
                    await current.end()
                    current = next
                    #expect(attempt < 20)
                    continue
                }
                await next.end()
                #expect(await Self.working(connections, 1).count == 500 - moved)
                break
            }
            await (try await gateways.replace(current)).end()
        }
    }

    /// The predecessor stands still in the exchange for a while; nothing is lost when it goes on.
    @Test func stoppedPredecessor_goesOn() async throws {
        try await Self.withGateways { gateways in
            let first = try await gateways.startFirst()
            var connections: [RawConnection] = []
            for _ in 0..<500 { connections.append(try await gateways.open()) }
            let next = try await gateways.startNext()
            first.send(SIGSTOP)
            // Longer than either waits for an answer of one that works.
            try await Task.sleep(for: .seconds(6))
            first.send(SIGCONT)
            try await eventually("all is taken over", within: .seconds(60)) {
                !gateways.lines(with: "handover: taken over").isEmpty
            }
            #expect(await Self.working(connections, 1).count == 500)
            await first.end()
            #expect(await Self.working(connections, 2).count == 500)
            await next.end()
        }
    }
}
