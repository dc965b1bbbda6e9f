import Contracts
import FoundationEssentials
import NIOCore
import TestKit
import Testing

@testable import Gateway

/// Bodies far larger than the buffers: a slow receiver slows the sender down.
@Suite(.timeLimit(.minutes(2)))
struct BackPressureTests {
    /// An upper bound of the bytes that the buffers of the four sockets on the way and of the gateway hold.
    static let slack = 2 * (longest("tcp_rmem") + longest("tcp_wmem")) + 4 * 1024 * 1024
    private static let size = slack + 72 * 1024 * 1024
    private static let piece = ByteBuffer(repeating: 7, count: 64 * 1024)

    /// Bytes to which Linux lets a socket's buffer grow, the last of three numbers (tcp(7)); 6 MiB, the default before
    /// Linux 6.16, when the setting cannot be read.
    private static func longest(_ setting: String) -> Int {
        let text = try? String(contentsOfFile: "/proc/sys/net/ipv4/\(setting)", encoding: .utf8)
        return text?.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) } ?? 6 * 1024 * 1024
    }

    /// Sends a body as fast as the connection accepts it, and counts the accepted bytes.
    private static func sendBody(on connection: RawConnection, counting sent: Counted) async throws {
        for _ in 0..<(size / piece.readableBytes) {
            try await connection.send(piece)
            sent.add(piece.readableBytes)
        }
    }

    @Test func slowClient_slowsDownService() async throws {
        let sent = Counted()
        let auth = try await TestUpstream.playing { connection in
            while let request = await connection.readMessage() {
                if try await TestUpstream.answerHealth(request, on: connection) { continue }
                try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(Self.size)\r\n\r\n")
                try await Self.sendBody(on: connection, counting: sent)
            }
        }
        try await TestGateway.run([.auth: [auth]]) { gateway in
            let connection = try await gateway.connect(isReading: false)
            try await connection.send("GET /token/validate HTTP/1.1\r\nHost: h\r\n\r\n")
            let taken = try await sent.settled()
            #expect(taken < Self.slack)
            try await connection.startReading()
            _ = await connection.readHead()
            var left = Self.size
            while left > 0 {
                let count = try #require(
                    await connection.read { bytes -> Int? in
                        defer { bytes.clear() }
                        return bytes.readableBytes > 0 ? bytes.readableBytes : nil
                    }
                )
                left -= count
            }
            #expect(left == 0)
        }
    }

    @Test func slowService_slowsDownClient() async throws {
        let sent = Counted()
        let go = AsyncStream<Void>.makeStream()
        let auth = try await TestUpstream.playing { connection in
            guard let head = await connection.readHead() else { return }
            if head.contains("/readyz") { return try await connection.send(TestUpstream.ok("")) }
            try await connection.channel.setOption(.autoRead, value: false).get()
            for await _ in go.stream { break }
            try await connection.startReading()
            var left = Self.size
            while left > 0 {
                guard
                    let count = await connection.read({ bytes -> Int? in
                        defer { bytes.clear() }
                        return bytes.readableBytes > 0 ? bytes.readableBytes : nil
                    })
                else { return }
                left -= count
            }
            try await connection.send(TestUpstream.ok("all"))
        }
        try await TestGateway.run([.auth: [auth]], configure: { $0.limits.documentSize = 1 << 30 }) { gateway in
            let connection = try await gateway.connect()
            try await connection.send("POST /token/refresh HTTP/1.1\r\nHost: h\r\nContent-Length: \(Self.size)\r\n\r\n")
            async let sending: Void = Self.sendBody(on: connection, counting: sent)
            let taken = try await sent.settled()
            #expect(taken < Self.slack)
            go.continuation.finish()
            try await sending
            #expect(await connection.readMessage()?.body == "all")
        }
    }

    @Test func clientThatDoesNotRead_stopsRequestReading() async throws {
        let asked = Counted()
        let requests = ByteBuffer(string: String(repeating: "GET /nothing HTTP/1.1\r\nHost: h\r\n\r\n", count: 1000))
        try await TestGateway.run(configure: { $0.rates.address = .unlimited }) { gateway in
            let connection = try await gateway.connect(isReading: false)
            let flood = Task {
                while true {
                    try await connection.send(requests)
                    asked.add(requests.readableBytes)
                }
            }
            let taken = try await asked.settled()
            #expect(taken < Self.slack)
            // As soon as the client reads, its requests are answered.
            try await connection.startReading()
            for _ in 0..<2000 { #expect(await connection.readMessage()?.status == 404) }
            await connection.close()
            _ = await flood.result
        }
    }

    @Test func bytesSentBeforeResponse_areHeldBack() async throws {
        let sent = Counted()
        let go = AsyncStream<Void>.makeStream()
        let auth = try await TestUpstream.answering { _ in
            for await _ in go.stream { break }
            return TestUpstream.ok("late")
        }
        try await TestGateway.run([.auth: [auth]]) { gateway in
            let connection = try await gateway.connect()
            try await connection.send("GET /token/validate HTTP/1.1\r\nHost: h\r\n\r\n")
            let flood = Task { try await Self.sendBody(on: connection, counting: sent) }
            let taken = try await sent.settled()
            #expect(taken < Self.slack)
            go.continuation.finish()
            #expect(await connection.readMessage()?.body == "late")
            // The bytes that were sent ahead are not a valid request.
            #expect(await connection.readMessage()?.status == 400)
            await connection.close()
            _ = await flood.result
        }
    }

    @Test func pipelinedRequests_beyondReadAhead_areAnswered() async throws {
        let auth = try await TestUpstream.answering()
        let configure: (inout GatewayConfiguration) -> Void = {
            $0.rates.address = .unlimited
            $0.limits.readAhead = 1024
            $0.limits.idleTime = .seconds(2)
        }
        try await TestGateway.run([.auth: [auth]], configure: configure) { gateway in
            let connection = try await gateway.connect()
            let request = "GET /token/validate HTTP/1.1\r\nHost: h\r\n\r\n"
            try await connection.send(String(repeating: request, count: 2000))
            for _ in 0..<2000 { try #require(await connection.readMessage()?.status == 200) }
        }
    }
}
