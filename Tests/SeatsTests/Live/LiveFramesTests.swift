import Contracts
import NIOCore
import Postgres
import Sockets
import TestKit
import Testing

@testable import Seats

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .fixture(LiveSeatsWorld.test)) struct LiveFramesTests {
    private var world: LiveSeatsWorld { .current }

    /// A greeting reaches only the connection that sent it, and costs no row.
    @Test func greeting_staysInConnection() async throws {
        let clients = [try await world.connect(1), try await world.connect(1)]
        for (number, client) in clients.enumerated() {
            var greetings = try await client.subscribe("/topic/hello").makeAsyncIterator()
            try await client.send("/app/hello", "안녕 \(number)")
            #expect(try await greetings.next().map { String(buffer: $0.body) } == "안녕 \(number)")
        }
        #expect(try await world.count("live_messages") == 0)
    }

    @Test func subscriptionLoop_isEndedWithError() async throws {
        let client = try await world.connect(1)
        let error = await #expect(throws: STOMPClientError.self) {
            for _ in 0..<400 {
                _ = try await client.subscribe("/topic/seat.2234")
                try await client.unsubscribe(id: "/topic/seat.2234")
            }
        }
        #expect(error?.message == "You send too many frames; wait a minute.")
        #expect(await client.end == .closedByPeer(.protocolError, reason: ""))
    }
}
