import NIOCore
import Testing

@testable import Sockets

@Suite struct PacketTests {
    private static func packet(_ text: String) throws(WebSocketFailure) -> SocketIOPacket {
        try SocketIOPacket(ByteBuffer(string: text))
    }

    @Test(arguments: zip("0123456", [EnginePacket.Kind.open, .close, .ping, .pong, .message, .upgrade, .noop]))
    func enginePacket_kindIsFirstDigit(_ digit: Character, _ kind: EnginePacket.Kind) throws {
        let packet = try EnginePacket(ByteBuffer(string: "\(digit)probe"))
        #expect(packet.kind == kind)
        #expect(packet.payload == ByteBuffer(string: "probe"))
    }

    @Test(arguments: ["", "7", "a", " 2", "b64", "é"]) func invalidEnginePacket_isRefused(_ text: String) {
        #expect(throws: WebSocketFailure(.protocolError, "not an Engine.IO packet")) {
            try EnginePacket(ByteBuffer(string: text))
        }
    }

    @Test func connect_hasNamespace() throws {
        for text in ["0/chats-1,", "0/chats-1", "0/chats-1?token=a&b=c,", "0/chats-1?"] {
            let packet = try Self.packet(text)
            #expect(packet.kind == .connect)
            #expect(packet.namespace == "/chats-1")
            #expect(packet.id == nil)
            #expect(packet.payload == nil)
        }
        #expect(try Self.packet("0").namespace == "/")
        let own = try Self.packet(#"0/a,{"token":"b,c"}"#)
        #expect(own.payload == ByteBuffer(string: #"{"token":"b,c"}"#))
        #expect(try Self.packet(#"0{"token":1}"#).payload == ByteBuffer(string: #"{"token":1}"#))
    }

    @Test func eventsAndAcknowledgements_haveIDs() throws {
        let event = try Self.packet(#"2/a,12["chat",{"b":[]}]"#)
        #expect(event.kind == .event)
        #expect(event.namespace == "/a")
        #expect(event.id == 12)
        #expect(event.payload == ByteBuffer(string: #"["chat",{"b":[]}]"#))
        #expect(try Self.packet(#"2["chat"]"#).id == nil)
        let ack = try Self.packet("30[]")
        #expect(ack.kind == .ack)
        #expect(ack.id == 0)
        #expect(try Self.packet("1/a,").kind == .disconnect)
    }

    @Test(
        arguments: [
            "", "7", "x", "0[]", "0{", "0null", "0/a,1", "0/a,1{}", "0/a,\"b\"", "1/a,{}", "1/a,[]", "1 ", "2", "2/a,",
            "2{}",
            "2[]", "2[1]", "2[\"a\"", "2[\"a\"]x", "2/a,99999999999999999999[\"a\"]", "3[]", "3/a,1{}", "3/a,1",
            "4", "4/a,{\"message\":\"a\"}", "2/a[\"b\"]", "2" + String(repeating: "[", count: 5000),
        ]
    )
    func malformedPacket_isRefused(_ text: String) {
        #expect(throws: WebSocketFailure(.protocolError, "not a Socket.IO packet")) { try Self.packet(text) }
    }

    @Test(arguments: ["51-[\"a\",{\"_placeholder\":true,\"num\":0}]", "61-/a,1[]", "5"])
    func binaryPacket_isRefused(_ text: String) {
        #expect(throws: WebSocketFailure(.unacceptableData, "binary data is not spoken here")) { try Self.packet(text) }
    }

    @Test func namespace_hasMaximumLength() throws {
        let name = "/" + String(repeating: "a", count: SocketIOPacket.namespaceLimit - 1)
        #expect(try Self.packet("0\(name),").namespace == name)
        #expect(throws: WebSocketFailure(.policyViolation, "the namespace is too long")) {
            try Self.packet("0\(name)a,")
        }
    }

    @Test func frames_areEncodedForClients() throws {
        func text(_ frame: ByteBuffer) throws -> String {
            let (first, length) = (try #require(frame.getInteger(at: 0, as: UInt8.self)), frame.readableBytes)
            #expect(first == 0x81)
            // Short frames have a header of two bytes, others one of four.
            return try #require(frame.getString(at: length > 127 ? 4 : 2, length: length - (length > 127 ? 4 : 2)))
        }
        #expect(try text(SocketIOFrame.ping) == "2")
        #expect(try text(SocketIOFrame.pong(ByteBuffer(string: "probe"))) == "3probe")
        #expect(try text(SocketIOFrame.connected("/a", id: "b")) == #"40/a,{"sid":"b"}"#)
        #expect(try text(SocketIOFrame.connected("/", id: "b")) == #"40{"sid":"b"}"#)
        #expect(try text(SocketIOFrame.disconnected("/a")) == "41/a,")
        #expect(try text(SocketIOFrame.refused("/a", "No \"b\"/\n")) == #"44/a,{"message":"No \"b\"/\n"}"#)
        #expect(try text(SocketIOFrame.event("chat", ByteBuffer(string: "{}"), in: "/a")) == #"42/a,["chat",{}]"#)
        #expect(
            try text(SocketIOFrame.open(id: "b", SocketIOLimits()))
                == #"0{"sid":"b","upgrades":[],"pingInterval":25000,"pingTimeout":20000,"maxPayload":16384}"#
        )
    }

    @Test(
        arguments: zip(
            [
                "/socket.io?EIO=4&transport=websocket", "/socket.io?transport=websocket&EIO=4&a=b", "/socket.io",
                "/socket.io?EIO=3&transport=websocket", "/socket.io?EIO=4", "/socket.io?EIO=4&transport=polling",
                "/socket.io?EIO=4&transport=websocket&sid=a",
            ],
            [
                nil, nil, "EIO must be 4", "EIO must be 4", "transport must be websocket",
                "transport must be websocket", "there is no such sid",
            ] as [String?]
        )
    )
    func path_requiresVersionAndTransport(_ path: String, _ problem: String?) {
        #expect(SocketIOEndpoint<Lobby>.problem(path) == problem)
    }
}
