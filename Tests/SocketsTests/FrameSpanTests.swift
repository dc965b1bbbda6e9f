import ServiceKit
import Sockets
import TestKit
import Testing

/// The spans of frames.
@Suite struct FrameSpanTests {
    private let log = SpanLog()

    private func handle(_ destination: String?, _ body: @Sendable () async throws(STOMPRefusal) -> Int) async throws
        -> Result<Int, STOMPRefusal>
    {
        await log.recording { await withFrameSpan("STOMP SEND", destination: destination, account: "7", body) }
    }

    @Test func acceptedFrame_hasItsDestination() async throws {
        #expect(try await handle("/topic/seat.2001") { 1 } == .success(1))
        let span = try log.span("STOMP SEND")
        #expect(span["messaging.destination.name"] == "/topic/seat.2001" && span["user.id"] == "7")
        #expect(span["error.type"] == nil && !span.isError && span.parent == nil)
    }

    @Test func refusedFrame_hasNothingThatTheClientMadeUp() async throws {
        let refusal = STOMPRefusal("There is no such destination.")
        let result = try await handle("/topic/secret of a person") { () throws(STOMPRefusal) in throw refusal }
        #expect(result == .failure(refusal))
        let span = try log.span("STOMP SEND")
        #expect(span["messaging.destination.name"] == "unknown" && span["error.type"] == "STOMPRefusal")
        #expect(!span.isError && span.events.isEmpty)
    }

    @Test func frameWithoutADestination_hasNone() async throws {
        let refusal = STOMPRefusal("Sign in first.")
        _ = try await handle(nil) { () throws(STOMPRefusal) in throw refusal }
        #expect(try log.span("STOMP SEND")["messaging.destination.name"] == nil)
    }
}
