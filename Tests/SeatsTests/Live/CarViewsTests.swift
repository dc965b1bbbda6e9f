import Contracts
import FoundationEssentials
import NIOCore
import Postgres
import Sockets
import TestKit
import Testing

@testable import Seats

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .fixture(LiveSeatsWorld.test)) struct CarViewsTests {
    private var world: LiveSeatsWorld { .current }

    @Test func changeDuringCarRead_reachesEverySubscriber() async throws {
        let seat = try await world.seats.car(1)[0].seatStatus[0].seatId
        let car = try CarAddress(train: "2234", code: "2429")
        let views = CarViews(database: world.database, hub: STOMPHub())
        let change = StoredMessage(
            id: 1_000_000,
            topic: LiveTopic.car(car).name,
            body: #"[{"seat":\#(seat),"occupant":null}]"#
        )
        let (snapshots, applied) = try await world.database.transaction { transaction in
            try await transaction.execute("LOCK TABLE passengers IN ACCESS EXCLUSIVE MODE")
            let first = Task { try await views.snapshot(of: car).id }
            try await transaction.waitUntilBlocking()
            // The second snapshot and the change enter the actor while the first waits for the database.
            let second = Task { try await views.snapshot(of: car).id }
            let applied = Task { try await views.hear(change, about: car) }
            for _ in 0..<100 { await Task.yield() }
            return ([first, second], applied)
        }
        for snapshot in snapshots { #expect(try await snapshot.value == change.id.rawValue) }
        try await applied.value
    }

    /// A PostgreSQL notification holds less than 8,000 bytes.
    @Test func changeTooLongForNotify_isReadFromTable() async throws {
        let name = String(repeating: "긴", count: 4000)
        try await world.seats.register(1, name)
        let seat = try await world.seats.car(2)[0].seatStatus[0].seatId
        let client = try await world.connect(2)
        var frames = try await client.subscribe("/topic/seat.2234").makeAsyncIterator()
        _ = try await frames.next()
        #expect(try await world.seats.occupy(seat, 1) == "201")
        let shown = try await frames.next()
        #expect(shown.map { String(buffer: $0.body).contains(name) } == true)
    }
}
