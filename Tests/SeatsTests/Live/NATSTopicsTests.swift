import NATS
import NIOCore
import Postgres
import ServiceDatabase
import Sockets
import TestKit
import Testing

@testable import Seats

/// The service with NATS for its announcements.
@Suite(
    .database(Migrations.all),
    .enabled(if: NATSServer.isInstalled, "nats-server is not installed: apt-get install nats-server"),
    .timeLimit(.minutes(2))
)
struct NATSTopicsTests {
    private static func topics(_ server: NATSServer) async throws -> [String] {
        try await server.subjects().compactMap { $0.split(separator: ".live.").dropFirst().first.map(String.init) }
            .sorted()
    }

    @Test func copy_subscribesToTopicsWithSubscribersOnly() async throws {
        try await NATSServer.with { server in
            let nats = try NATSConfiguration(url: server.url)
            try await LiveSeatsWorld.with({ $0.database.announcer = $0.database.announcer(at: nats) }) { world in
                let seats = world.seats
                #expect(try await Self.topics(server) == [])
                let journey = try await seats.start(1).pathHistoryId
                let phone = try await world.connect(1)
                #expect(try await Self.topics(server) == ["account.1"])
                let path = try await phone.subscribe("/topic/path-histories.\(journey)")
                let train = try await phone.subscribe("/topic/seat.2234")
                _ = try await phone.subscribe("/topic/hello")
                #expect(try await Self.topics(server) == ["account.1", "car.2234.*", "path.\(journey)"])
                // The first frame is the state; the next ones were announced.
                let seat = try await seats.seats()[0]
                #expect(try await seats.occupy(seat, 1) == "201")
                var frames = train.makeAsyncIterator()
                #expect(try await frames.next()?.body.readableBytes ?? 0 > 0)
                var states = path.makeAsyncIterator()
                #expect(try await states.next()?.body.readableBytes ?? 0 > 0)
                phone.close()
                try await eventually { try await Self.topics(server) == [] }
            }
        }
    }
}
