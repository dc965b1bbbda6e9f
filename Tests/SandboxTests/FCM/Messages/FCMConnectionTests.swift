import NIOCore
import TestKit
import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(1))) struct FCMConnectionTests {
    private static func request(_ body: String, _ token: String) -> String {
        """
        POST /fcm/v1/projects/moup/messages:send HTTP/1.1\r\nHost: h\r\nContent-Length: \(body.utf8.count)\r\n\
        Authorization: Bearer \(token)\r\n\r\n\(body)
        """
    }

    /// A sender that disconnects before the response cannot read it: the record has the message as unanswered.
    @Test func disconnectedSender_isRecordedAsUnanswered() async throws {
        try await SandboxClient.runLive { sandbox, port in
            let sender = try await FCMSender(at: sandbox)
            _ = try await sandbox.post("/_control/fcm/latency", json: #"{"ms": 1000}"#)
            let body = #"{"message": {"token": "gone"}}"#
            let connection = try await RawConnection.connect(to: port)
            try await connection.send(Self.request(body, sender.token))
            while try await sender.messages().isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            await connection.close()
            // A later message is answered.
            #expect(try await sender.notify("there").status == 200)
            #expect(try await sender.messages().map(\.token) == ["there", "gone"])
            #expect(try await sender.messages().map(\.answered) == [true, false])
        }
    }

    @Test func connection_isReusedForNextMessage() async throws {
        try await SandboxClient.runLive { sandbox, port in
            let sender = try await FCMSender(at: sandbox)
            let connection = try await RawConnection.connect(to: port)
            for count in 1...3 {
                let body = #"{"message": {"token": "a\#(count)"}}"#
                try await connection.send(Self.request(body, sender.token))
                let line = await connection.read { bytes in
                    let text = String(buffer: bytes)
                    guard text.contains(#""}"#) else { return String?.none }
                    bytes.moveReaderIndex(forwardBy: bytes.readableBytes)
                    return text.split(separator: "\r\n").first.map(String.init)
                }
                #expect(line == "HTTP/1.1 200 OK")
            }
            #expect(try await sender.messages().map(\.answered) == [true, true, true])
            await connection.close()
        }
    }
}
