import NIOCore
import Sockets
import TestKit
import Testing

/// Valid and invalid frames of clients.
@Suite(.timeLimit(.minutes(1))) struct STOMPProtocolTests {
    private var service: SocketService { .current }

    /// The server's responses to text messages, until it closes or the expected count has arrived.
    private func talk(_ service: SocketService, _ messages: [String], expecting count: Int) async throws -> [String] {
        let client = try await WebSocketClient.connect(service.url, headers: SocketService.identity())
        for message in messages { try? await client.send(message) }
        var answers: [String] = []
        for await answer in client.messages {
            guard case .text(let bytes) = answer else { continue }
            answers.append(String(buffer: bytes))
            if answers.count == count { break }
        }
        if answers.last?.hasPrefix("ERROR\n") == true {
            #expect(await client.end == .closedByPeer(.protocolError, reason: ""))
        }
        await client.close()
        return answers
    }

    private static let connect = "CONNECT\naccept-version:1.1,1.2\nname:kim\n\n\0"
    private static let subscribe = "SUBSCRIBE\nid:/topic/a\ndestination:/topic/a\nack:auto\n\n\0"

    @Test(.sockets(STOMPEndpoint(Newsroom()))) func framesOfApp_areUnderstood() async throws {
        let answers = try await talk(
            service,
            [
                Self.connect, Self.subscribe, "UNSUBSCRIBE\nid:/topic/a\n\n\0",
                "DISCONNECT\nreceipt:disconnect/safe\n\n\0",
            ],
            expecting: 2
        )
        let lines = answers[0].split(separator: "\n")
        #expect(lines[0] == "CONNECTED" && lines[1] == "version:1.2" && lines[2] == "heart-beat:0,0")
        #expect(answers[0].hasSuffix("\n\n\0") && !answers[0].contains("\r"))
        #expect(answers[1] == "RECEIPT\nreceipt-id:disconnect/safe\n\n\0")
    }

    @Test(.sockets(STOMPEndpoint(Newsroom()))) func repeatedSubscription_isOne() async throws {
        let hello = "SEND\ndestination:/topic/a\n\n{}\0"
        let goodbye = "DISCONNECT\nreceipt:1\n\n\0"
        let answers = try await talk(
            service,
            [Self.connect, Self.subscribe, Self.subscribe, hello, goodbye],
            expecting: 3
        )
        #expect(answers.map { $0.prefix { $0 != "\n" } }.sorted() == ["CONNECTED", "MESSAGE", "RECEIPT"])
    }

    @Test(.sockets(STOMPEndpoint(Newsroom()))) func frames_mayBeJoinedAndSplit() async throws {
        let all =
            Self.connect + "\n" + Self.subscribe.replacing("ack:auto", with: "receipt:1")
            + "SEND\ndestination:/topic/a\ncontent-length:2\nreceipt:2\n\n{}\0"
        for pieces in [[all], all.unicodeScalars.map { String($0) }] {
            let answers = try await talk(service, pieces, expecting: 4)
            #expect(answers[1] == "RECEIPT\nreceipt-id:1\n\n\0")
            #expect(Set(answers[2...].map { $0.prefix { $0 != "\n" } }) == ["MESSAGE", "RECEIPT"])
        }
    }

    @Test(
        .sockets(STOMPEndpoint(Newsroom())),
        arguments: [
            ([subscribe], "CONNECT comes first."), (["HELLO\n\n\0"], "CONNECT comes first."),
            ([connect, connect], "The connection is connected already."),
            ([connect, "HELLO\n\n\0"], "There is no such command."),
            (["CONNECT\naccept-version:1.3\nname:kim\n\n\0"], "The versions spoken are 1.2, 1.1 and 1.0."),
            (["CONNECT\nname:kim\nheart-beat:1\n\n\0"], "The heart-beat is not two numbers of milliseconds."),
            ([connect, "SUBSCRIBE\nid:1\n\n\0"], "SUBSCRIBE needs the header destination."),
            ([connect, "SUBSCRIBE\ndestination:/topic/a\n\n\0"], "SUBSCRIBE needs the header id."),
            (
                [connect, "SUBSCRIBE\nid:1\ndestination:/topic/a\nack:client\n\n\0"],
                "Messages are not acknowledged here; subscribe with ack auto."
            ),
            (
                [connect, subscribe, subscribe.replacing("destination:/topic/a", with: "destination:/topic/b")],
                "There is a subscription with this id."
            ),
            ([connect, "UNSUBSCRIBE\n\n\0"], "UNSUBSCRIBE needs the header id."),
            ([connect, "SEND\n\n\0"], "SEND needs the header destination."),
            ([connect, "SEND\ndestination:/else\n\n\0"], "There is no such destination."),
            ([connect, "SEND\ndestination:/topic/a\ntransaction:t\n\n\0"], "There are no transactions here."),
            ([connect, "ACK\nid:1\n\n\0"], "Messages are not acknowledged here; subscribe with ack auto."),
            ([connect, "BEGIN\ntransaction:t\n\n\0"], "There are no transactions here."),
            ([connect, "SEND\nwrong\n\n\0"], "A header has no name or no colon."),
            ([connect, "SUBSCRIBE\nid:1\ndestination:/topic/a\n\nbody\0"], "Only SEND has a body."),
        ]
    ) func invalidFrame_getsError_andDisconnects(_ messages: [String], _ error: String) async throws {
        let answers = try await talk(service, messages, expecting: .max)
        #expect(answers.last == "ERROR\nmessage:\(error)\n\n\0")
        #expect(answers.count { $0.hasPrefix("ERROR") } == 1)
    }

    @Test(.sockets(STOMPEndpoint(Newsroom()))) func error_hasReceiptOfItsFrame() async throws {
        let answers = try await talk(service, [Self.connect, "ACK\nid:1\nreceipt:r:7\n\n\0"], expecting: 2)
        #expect(answers.last?.hasSuffix("\nreceipt-id:r\\c7\n\n\0") == true)
    }

    @Test(.sockets(STOMPEndpoint(Newsroom()))) func version10_isSupported() async throws {
        let old = "SUBSCRIBE\ndestination:/topic/b:c\nreceipt:1\n\n\0SEND\ndestination:/topic/b:c\n\n{}\0"
        let answers = try await talk(service, ["STOMP\nname:kim\n\n\0" + old], expecting: 3)
        #expect(answers[0].hasPrefix("CONNECTED\nversion:1.0\n"))
        #expect(answers[2].contains("\ndestination:/topic/b:c\n") && answers[2].contains("\nsubscription:/topic/b:c\n"))
    }

    @Test func subscriptions_areBounded() async throws {
        var limits = STOMPLimits()
        limits.subscriptions = 3
        try await SocketService.run(STOMPEndpoint(Newsroom(), limits: limits)) { service in
            let client = try await STOMPServerTests.client(service)
            for number in 0..<3 { _ = try await client.subscribe("/topic/\(number)") }
            try await client.unsubscribe(id: "/topic/0")
            _ = try await client.subscribe("/topic/0")
            let error = await #expect(throws: STOMPClientError.self) { _ = try await client.subscribe("/topic/9") }
            #expect(error?.message == "There are too many subscriptions.")
        }
    }

    @Test func missingConnect_disconnects() async throws {
        var limits = STOMPLimits()
        limits.connectTime = .milliseconds(50)
        try await SocketService.run(STOMPEndpoint(Newsroom(), limits: limits)) { service in
            let answers = try await talk(service, ["\n"], expecting: .max)
            #expect(answers == ["ERROR\nmessage:There was no CONNECT in time.\n\n\0"])
        }
    }

    @Test func heartBeats_areSentAndExpected() async throws {
        var limits = STOMPLimits()
        limits.leastBeat = .milliseconds(50)
        try await SocketService.run(STOMPEndpoint(Newsroom(), limits: limits)) { service in
            let client = try await WebSocketClient.connect(service.url, headers: SocketService.identity())
            try await client.send("CONNECT\naccept-version:1.2\nname:kim\nheart-beat:500,20\n\n\0")
            var answers: [String] = []
            for await case .text(let bytes) in client.messages {
                answers.append(String(buffer: bytes))
                // The client's beats keep it connected past twice the negotiated interval, and then they stop.
                if answers.count < 10 { try await client.send("\n") }
            }
            #expect(answers[0].contains("\nheart-beat:50,500\n"))
            #expect(answers.count > 10 && answers.dropFirst().allSatisfy { $0 == "\n" })
            #expect(await client.end == .closedByPeer(.policyViolation, reason: "no heart-beat"))
        }
    }

    @Test(.sockets(STOMPEndpoint(Newsroom()))) func binaryMessage_isReadAsText() async throws {
        let client = try await WebSocketClient.connect(service.url, headers: SocketService.identity())
        try await client.send(.binary, ByteBuffer(string: Self.connect))
        var messages = client.messages.makeAsyncIterator()
        guard case .text(let bytes)? = await messages.next() else { return #expect(Bool(false)) }
        #expect(String(buffer: bytes).hasPrefix("CONNECTED\n"))
        await client.close()
    }
}
