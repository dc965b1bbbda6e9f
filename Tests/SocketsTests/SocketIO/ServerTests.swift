import NIOCore
import TestKit
import Testing

@testable import Sockets

@Suite(.timeLimit(.minutes(1))) struct ServerTests {
    private static func run(
        _ lobby: Lobby = Lobby(),
        _ adjust: (inout SocketIOLimits) -> Void = { _ in },
        _ body: @escaping @Sendable (Lobby, SocketService, SocketIOEndpoint<Lobby>) async throws -> Void
    ) async throws {
        var limits = SocketIOLimits()
        adjust(&limits)
        let endpoint = SocketIOEndpoint(lobby, limits: limits)
        try await SocketService.run(endpoint) { service in try await body(lobby, service, endpoint) }
    }

    private static func closed(_ code: CloseCode, _ reason: String) -> WebSocketEnd {
        .closedByPeer(code, reason: reason)
    }

    /// Opens a connection and uses it, again if the server has closed it before, as it does on a busy machine.
    private static func inTime(
        _ use: (SocketIOWire) async throws -> Bool,
        on open: () async throws -> SocketIOWire
    ) async throws -> SocketIOWire {
        while true {
            let wire = try await open()
            do {
                if try await use(wire) { return wire }
            } catch ChannelError.ioOnClosedChannel {}
        }
    }

    // MARK: Namespaces

    @Test func client_joinsReceivesAndLeavesNamespace() async throws {
        try await Self.run { lobby, service, _ in
            let wire = try await SocketIOWire.open(service)
            let accepted = try #require(try await wire.ask("40/open,"))
            let socket = try #require(lobby.sockets.first)
            #expect(accepted == #"40/open,{"sid":"\#(socket.id)"}"#)
            socket.emit(SocketIOEvent("chat", ByteBuffer(string: #"{"a":1}"#), in: "/open"))
            #expect(await wire.next() == #"42/open,["chat",{"a":1}]"#)
            // A repeated connect gets the same response.
            #expect(try await wire.ask("40/open,") == accepted)
            try await wire.say("41/open,")
            await lobby.happened(2)
            #expect(lobby.log == ["connect /open -", "disconnected /open unnamed"])
            socket.emit(SocketIOEvent("chat", ByteBuffer(string: "{}"), in: "/open"))
            #expect(try await wire.ask("2end") == "3end", "a socket that has left receives nothing")
            #expect(await wire.socket.close() == .closedHere(.normal, reason: ""))
        }
    }

    @Test func namespaces_ofOneSocket_areIndependent() async throws {
        try await Self.run { lobby, service, _ in
            let wire = try await SocketIOWire.open(service)
            #expect(try await wire.ask(#"40/open-1,{"token":"a"}"#)?.hasPrefix("40/open-1,{") == true)
            #expect(try await wire.ask("40/else,") == #"44/else,{"message":"There is no such namespace."}"#)
            #expect(try await wire.ask("40") == #"44{"message":"There is no such namespace."}"#)
            #expect(try await wire.ask("40/open-2?a=b,")?.hasPrefix("40/open-2,{") == true)
            for socket in lobby.sockets {
                socket.emit(SocketIOEvent("chat", ByteBuffer(string: "1"), in: socket.namespace))
            }
            #expect(await wire.next() == #"42/open-1,["chat",1]"#)
            #expect(await wire.next() == #"42/open-2,["chat",1]"#)
            lobby.sockets[0].disconnect()
            #expect(await wire.next() == "41/open-1,")
            lobby.sockets[3].emit(SocketIOEvent("chat", ByteBuffer(string: "2"), in: "/open-2"))
            #expect(await wire.next() == #"42/open-2,["chat",2]"#)
            await wire.socket.close()
            await lobby.happened(6)
            #expect(lobby.log.first == #"connect /open-1 {"token":"a"}"#)
            #expect(lobby.log.suffix(2) == ["disconnected /open-1 unnamed", "disconnected /open-2 unnamed"])
        }
    }

    @Test func eventsBeforeAcceptance_areSentAfterIt() async throws {
        try await Self.run { lobby, service, _ in
            let wire = try await SocketIOWire.open(service)
            try await wire.say("40/slow,")
            await lobby.happened(1)
            for number in 1...3 {
                lobby.sockets[0].emit(SocketIOEvent("chat", ByteBuffer(string: "\(number)"), in: "/slow"))
            }
            // Other packets do not wait for it, and a repeated connect has no effect.
            try await wire.say("40/slow,")
            #expect(try await wire.ask("2") == "3")
            lobby.open()
            #expect(await wire.next()?.hasPrefix("40/slow,{") == true)
            for number in 1...3 { #expect(await wire.next() == #"42/slow,["chat",\#(number)]"#) }
            #expect(lobby.sockets.count == 1)
        }
    }

    @Test(arguments: [true, false]) func leavingBeforeAcceptance_disconnects(_ says: Bool) async throws {
        try await Self.run { lobby, service, _ in
            let wire = try await SocketIOWire.open(service)
            try await wire.say("40/slow,")
            await lobby.happened(1)
            if says {
                try await wire.say("41/slow,")
                #expect(try await wire.ask("2") == "3")
            } else {
                await wire.socket.close()
            }
            lobby.open()
            await lobby.happened(2)
            #expect(lobby.log == ["connect /slow -", "disconnected /slow unnamed"])
        }
    }

    @Test func socketWithoutNamespace_isClosed() async throws {
        try await Self.run(Lobby()) {
            $0.connectTime = .seconds(1)
        } _: { lobby, service, _ in
            let idle = try await SocketIOWire.open(service)
            #expect(await idle.socket.end == Self.closed(.policyViolation, "connected to no namespace"))
            let refused = try await Self.inTime { wire in
                let answer = try await wire.ask("40/else,")
                #expect(answer?.hasPrefix("44/else,") != false)
                return answer != nil
            } on: {
                try await SocketIOWire.open(service)
            }
            #expect(await refused.socket.end == Self.closed(.policyViolation, "connected to no namespace"))
            let left = try await Self.inTime { wire in
                let answer = try await wire.ask("40/open,")
                #expect(answer?.hasPrefix("40/open,") != false)
                try await wire.say("41/open,")
                return answer != nil
            } on: {
                try await SocketIOWire.open(service)
            }
            #expect(await left.socket.end == Self.closed(.policyViolation, "connected to no namespace"))
        }
    }

    // MARK: The engine

    @Test func server_pings_andReceivesPongs() async throws {
        try await Self.run(Lobby()) {
            $0.pingInterval = .milliseconds(50)
            $0.pingTimeout = .seconds(30)
        } _: { _, service, _ in
            let wire = try await SocketIOWire.open(service)
            for _ in 1...4 {
                #expect(await wire.next() == "2")
                try await wire.say("3")
            }
        }
    }

    @Test func unansweredPing_closes() async throws {
        try await Self.run(Lobby()) {
            $0.pingInterval = .milliseconds(800)
            $0.pingTimeout = .milliseconds(800)
        } _: { lobby, service, _ in
            let wire = try await SocketIOWire.open(service)
            try await wire.say("40/open,")
            while let packet = await wire.next() { #expect(packet == "2" || packet.hasPrefix("40/open,")) }
            #expect(await wire.socket.end == Self.closed(.policyViolation, "a ping was not answered"))
            await lobby.happened(2)
            #expect(lobby.log.last == "disconnected /open unnamed")
        }
    }

    @Test func pingOfClient_isAnswered() async throws {
        try await Self.run { _, service, _ in
            let wire = try await SocketIOWire.open(service)
            #expect(try await wire.ask("2") == "3")
            #expect(try await wire.ask("2probe") == "3probe")
            // These packets are for other transports and have no response.
            for packet in ["5", "6", "3"] { try await wire.say(packet) }
            #expect(try await wire.ask("2") == "3")
            try await wire.say("1")
            #expect(await wire.socket.end == Self.closed(.normal, ""))
        }
    }

    @Test func eventsOfClients_areIgnored() async throws {
        try await Self.run { lobby, service, _ in
            let wire = try await SocketIOWire.open(service)
            #expect(try await wire.ask("40/open,")?.hasPrefix("40/open,") == true)
            for packet in [
                #"42/open,["chat",{"a":1}]"#, #"42/open,7["a"]"#, #"42/none,["a"]"#, "43/open,7[]", "41/none,",
            ] { try await wire.say(packet) }
            #expect(try await wire.ask("2") == "3")
            #expect(lobby.log == ["connect /open -"])
        }
    }

    @Test(
        arguments: [
            "?EIO=3&transport=websocket": "EIO must be 4", "": "EIO must be 4",
            "?EIO=4&transport=polling": "transport must be websocket",
        ]
    )
    func unsupportedQuery_isRefusedWithReason(_ query: String, _ reason: String) async throws {
        try await Self.run { _, service, _ in
            let wire = try await SocketIOWire(service, query)
            #expect(await wire.socket.end == Self.closed(.policyViolation, reason))
        }
    }

    @Test(arguments: ["", "x", "0{}", "4", "40/open,{", "42", "44/open,{}", "40/open,1"])
    func malformedPacket_closes(_ packet: String) async throws {
        try await Self.run { lobby, service, _ in
            let wire = try await SocketIOWire.open(service)
            #expect(try await wire.ask("40/open,")?.hasPrefix("40/open,") == true)
            try await wire.say(packet)
            guard case .closedByPeer(.protocolError, let reason) = await wire.socket.end else {
                Issue.record("not closed")
                return
            }
            #expect(!reason.isEmpty)
            await lobby.happened(2)
        }
    }

    @Test func binaryData_closes() async throws {
        try await Self.run { _, service, _ in
            let ends = Self.closed(.unacceptableData, "binary data is not spoken here")
            let message = try await SocketIOWire.open(service)
            try await message.socket.send(.binary, ByteBuffer(string: "4hello"))
            #expect(await message.socket.end == ends)
            let event = try await SocketIOWire.open(service)
            try await event.say(#"451-["a",{"_placeholder":true,"num":0}]"#)
            #expect(await event.socket.end == ends)
        }
    }

    @Test func floodTooLargeMessageAndTooManyNamespaces_close() async throws {
        try await Self.run { _, service, _ in
            let flood = try await SocketIOWire.open(service)
            for _ in 0..<60 { try? await flood.say("2") }
            #expect(await flood.socket.end == Self.closed(.policyViolation, "too many messages"))
            let large = try await SocketIOWire.open(service)
            try? await large.say("2" + String(repeating: "a", count: 20_000))
            guard case .closedByPeer(.tooLarge, _) = await large.socket.end else {
                Issue.record("not closed")
                return
            }
            let greedy = try await SocketIOWire.open(service)
            for number in 1...33 { try? await greedy.say("40/open-\(number),") }
            #expect(await greedy.socket.end == Self.closed(.policyViolation, "too many namespaces"))
        }
    }

    @Test func slowReader_isDisconnected() async throws {
        try await Self.run(Lobby()) {
            $0.socket.unsentSize = 64 * 1024
        } _: { lobby, service, _ in
            let reader = try await RawConnection.connect(to: service.port)
            let path = SocketService.path + SocketIOWire.query
            let identity = SocketService.identity(at: path).map { "\($0.0): \($0.1)\r\n" }.joined()
            try await reader.send(
                """
                GET \(path) HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\n\
                Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
                \(identity)\r\n
                """
            )
            // A masked text of eight bytes, with a mask of zeros.
            try await reader.send(ByteBuffer(bytes: [0x81, 0x88, 0, 0, 0, 0] + Array("40/open,".utf8)))
            await lobby.happened(1)
            try await reader.channel.setOption(.autoRead, value: false).get()
            let socket = try #require(lobby.sockets.first)
            let event = SocketIOEvent("chat", ByteBuffer(repeating: 0x31, count: 60_000), in: "/open")
            // The data exceeds the system's socket buffers.
            for _ in 0..<400 { socket.emit(event) }
            await lobby.happened(2)
            #expect(lobby.log.last == "disconnected /open unnamed")
            await reader.close()
        }
    }

    // MARK: Ends

    @Test func closeAll_closesConnectionsOfOneAccount() async throws {
        try await Self.run { lobby, service, endpoint in
            let wire = try await SocketIOWire.open(service)
            #expect(try await wire.ask("40/open,")?.hasPrefix("40/open,") == true)
            endpoint.closeAll(.policyViolation, "not you") { $0 == "another" }
            #expect(try await wire.ask("2") == "3")
            endpoint.closeAll(.policyViolation, "the session has ended") { $0 == "unnamed" }
            #expect(await wire.socket.end == Self.closed(.policyViolation, "the session has ended"))
            await lobby.happened(2)
        }
    }

    @Test func stay_afterTokenExpiry_closes() async throws {
        try await Self.run(Lobby(isLimited: true)) {
            $0.connectTime = .seconds(5)
        } _: { lobby, service, _ in
            let wire = try await SocketIOWire.open(service)
            #expect(try await wire.ask("40/open,")?.hasPrefix("40/open,") == true)
            #expect(await wire.socket.end == Self.closed(.policyViolation, "the access token has expired"))
            await lobby.happened(2)
        }
    }
}
