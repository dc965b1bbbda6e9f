import NIOCore
import TestKit
import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(1))) struct FCMConnectionTests {
    /// A sender that disconnects before the response cannot read it: the record has the message as unanswered.
    @Test func disconnectedSender_isRecordedAsUnanswered() async throws {
        try await SandboxClient.runLive { sandbox, port in
            let house = try await FCMHouse(at: sandbox)
            _ = try await sandbox.post("/_control/fcm/latency", json: #"{"ms": 1000}"#)
            let body = #"{"message": {"token": "gone"}}"#
            let sender = try await RawConnection.connect(to: port)
            try await sender.send(
                """
                POST /fcm/v1/projects/moup/messages:send HTTP/1.1\r\nHost: h\r\nContent-Length: \(body.utf8.count)\r\n\
                Authorization: Bearer \(house.token)\r\n\r\n\(body)
                """
            )
            while try await house.messages().isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            await sender.close()
            // A later message is answered.
            #expect(try await house.notify("there").status == 200)
            #expect(try await house.messages().map(\.token) == ["there", "gone"])
            #expect(try await house.messages().map(\.answered) == [true, false])
        }
    }

    @Test func connection_isReusedForNextMessage() async throws {
        try await SandboxClient.runLive { sandbox, port in
            let house = try await FCMHouse(at: sandbox)
            let sender = try await RawConnection.connect(to: port)
            for count in 1...3 {
                let body = #"{"message": {"token": "a\#(count)"}}"#
                try await sender.send(
                    """
                    POST /fcm/v1/projects/moup/messages:send HTTP/1.1\r\nHost: h\r\nContent-Length: \(body.utf8.count)\r\n\
                    Authorization: Bearer \(house.token)\r\n\r\n\(body)
                    """
                )
                let line = await sender.read { bytes in
                    let text = String(buffer: bytes)
                    guard text.contains(#""}"#) else { return String?.none }
                    bytes.moveReaderIndex(forwardBy: bytes.readableBytes)
                    return text.split(separator: "\r\n").first.map(String.init)
                }
                #expect(line == "HTTP/1.1 200 OK")
            }
            #expect(try await house.messages().map(\.answered) == [true, true, true])
            await sender.close()
        }
    }
}
