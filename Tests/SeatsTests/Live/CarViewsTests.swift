import Contracts
import NIOCore
import Postgres
import Sockets
import TestKit
import Testing

@testable import Seats

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .fixture(LiveSeatsWorld.test)) struct CarViewsTests {
    private var world: LiveSeatsWorld { .current }

    private static let topic = LiveTopic.car(CarAddress(storedTrain: "2234", code: "2429"))

    private enum Change: String {
        case occupied, renamed, freed

        var nickname: String { "승객 \(rawValue)" }
    }

    /// Writes a message about a seat, as another replica does.
    private func write(
        _ change: Change,
        _ seat: SeatID,
        in transaction: PostgresTransaction
    ) async throws -> LiveMessageID {
        let occupant =
            """
            {"account":9,"nickname":"\(change.nickname)","image":"IMAGE_1","tags":[],"arrivesAt":1,"destination":"사당"}
            """
        let body = #"[{"seat":\#(seat),"occupant":\#(change == .freed ? "null" : occupant)}]"#
        return try await transaction.one(
            "INSERT INTO live_messages (topic, body) VALUES (\(Self.topic.name), \(body)) RETURNING id"
        ) { try $0.decode(LiveMessageID.self) }
    }

    /// Replicas announce in another order than they commit in.
    @Test func changes_announcedInReverse_arriveInOrder() async throws {
        let seat = try await world.seats.seats()[0]
        _ = try await world.seats.car(2)
        let client = try await world.connect(2)
        var frames = try await client.subscribe("/topic/seat.2234").makeAsyncIterator()
        _ = try await frames.next()
        let ids = try await world.database.transaction { transaction in
            [
                try await write(.occupied, seat, in: transaction), try await write(.renamed, seat, in: transaction),
                try await write(.freed, seat, in: transaction),
            ]
        }
        for id in ids.reversed() { world.database.announcer.announce(.written(id, Self.topic)) }
        for name in [Change.occupied.nickname, Change.renamed.nickname] {
            #expect(try await frames.next()?.text.contains(name) == true)
        }
        #expect(try await frames.next()?.text.contains(Change.renamed.nickname) == false)
        try await world.database.transaction { transaction in
            transaction.announce(.written(try await write(.occupied, seat, in: transaction), Self.topic))
        }
        #expect(try await frames.next()?.text.contains(Change.occupied.nickname) == true)
    }

    /// The replica committed the change and died before it announced it.
    @Test func changeOfDeadReplica_arrives() async throws {
        let seat = try await world.seats.seats()[0]
        _ = try await world.seats.car(2)
        let client = try await world.connect(2)
        var frames = try await client.subscribe("/topic/seat.2234").makeAsyncIterator()
        _ = try await frames.next()
        _ = try await world.database.transaction { try await write(.occupied, seat, in: $0) }
        #expect(try await frames.next()?.text.contains(Change.occupied.nickname) == true)
    }

    /// A PostgreSQL notification holds less than 8,000 bytes.
    @Test func changeLongerThanNotification_isDelivered() async throws {
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

extension STOMPFrame {
    fileprivate var text: String { String(buffer: body) }
}
