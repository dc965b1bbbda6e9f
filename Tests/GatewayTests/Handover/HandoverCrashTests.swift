import FoundationEssentials
import Glibc
import NIOCore
import PostgresServer
import TestKit
import Testing

@testable import Gateway

/// Gateways in processes of their own, of which one is killed while the other takes over: a WebSocket works on or is closed
/// with the process that had it, and in the end a whole takeover loses none.
///
/// `MADANG_CRASH_ROUNDS` sets the number of crashes, `MADANG_CRASH_SEED` the seed.
@Suite(.timeLimit(.minutes(30)))
struct HandoverCrashTests {
    private static let sockets = 200

    private static func setting(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    /// Gateways at one port, one after the other.
    private struct Gateways {
        let port: Int
        let environment: [String: String]
        let log: String

        func start() async throws -> ProgramProcess {
            try await ProgramProcess.start("gateway", environment: environment, log: log)
        }

        /// Whether requests are answered.
        func isServing() async throws -> Bool {
            guard let connection = try? await RawConnection.connect(to: port) else { return false }
            try? await connection.send("GET /readyz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            return await connection.readMessage()?.status == 200
        }

        /// How often a line of the log has a text.
        func count(of text: String) -> Int {
            let content = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
            return content.split(separator: "\n").count { $0.contains(text) }
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

    @Test func randomCrashes_leaveEachSocketOneOwner() async throws {
        let seed = Self.setting("MADANG_CRASH_SEED") ?? 4711
        let rounds = Int(Self.setting("MADANG_CRASH_ROUNDS") ?? 4)
        let service = try await HandoverTests.service()
        try await TestKey().published { authURL in
            var random = SplitMix(state: seed)
            let port = try FreePort.find()
            let folder = FileManager.default.temporaryDirectory.appending(path: "handover-\(UUID())").path()
            let gateways = Gateways(
                port: port,
                environment: [
                    "HOST": "127.0.0.1", "PORT": "\(port)", "ADMIN_PORT": "\(try FreePort.find())", "AUTH_URL": authURL,
                    "SEATS_URL": "http://127.0.0.1:\(service.port)", "HANDOVER_SOCKET": "\(folder).socket",
                    "GATEWAY_ACCESS_LOG": "off", "GATEWAY_THREADS": "2",
                ],
                log: "\(folder).log"
            )
            defer { for end in ["log", "socket"] { unlink("\(folder).\(end)") } }
            var current = try await gateways.start()
            try await eventually("the gateway serves") { try await gateways.isServing() }
            var connections: [RawConnection] = []
            for round in 0..<rounds {
                while connections.count < Self.sockets { connections.append(try await gateways.open()) }
                var taken = gateways.count(of: "handover: taken over")
                let served = gateways.count(of: "server: listening")
                let next = try await gateways.start()
                try await eventually("the next gateway serves") { gateways.count(of: "server: listening") > served }
                try await Task.sleep(for: .milliseconds(Int.random(in: 0..<40, using: &random)))
                let isOldKilled = Bool.random(using: &random)
                await (isOldKilled ? current : next).end()
                if isOldKilled { current = next }
                // One that is killed after it has taken all over leaves no other.
                if !isOldKilled, gateways.count(of: "handover: taken over") > taken {
                    await current.end()
                    current = try await gateways.start()
                }
                try await eventually("one of them serves") { try await gateways.isServing() }
                let before = connections.count
                connections = await Self.working(connections, round)
                print("handover: \(isOldKilled ? "old" : "new") killed, \(connections.count) of \(before) sockets stay")
                // A takeover without a crash.
                taken = gateways.count(of: "handover: taken over")
                let last = try await gateways.start()
                try await eventually("all is taken over") { gateways.count(of: "handover: taken over") > taken }
                await current.end()
                current = last
                let kept = await Self.working(connections, round + 100)
                #expect(kept.count == connections.count)
            }
            await current.end()
        }
    }
}
