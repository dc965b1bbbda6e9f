import Contracts
import FoundationEssentials
import HummingbirdTesting
import NIOCore
import Postgres
import Sockets
import TestKit
import Testing

@testable import Seats

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct CarViewsTests {
    /// A service that listens on a port, for the sockets of passengers who view a car.
    private struct House: Sendable {
        let world: SeatsWorld
        let port: Int
        let key: TestKey

        static func test(_ body: @escaping @Sendable (House) async throws -> Void) async throws {
            let key = TestKey()
            let database = TestDatabase.current.configuration
            try await key.published { auth in
                var configuration = SeatsConfiguration(database: database)
                configuration.authURLs = [auth]
                try await buildSeats(configuration, logger: .quiet).test(.live) { client in
                    let world = SeatsWorld(client: client)
                    for account in [1, 2] as [AccountID] { try await world.register(account, "승객 \(account)") }
                    try await body(House(world: world, port: client.port ?? 0, key: key))
                }
            }
        }

        func connect(_ account: AccountID) async throws -> STOMPClient {
            try await STOMPClient.connect(
                "ws://127.0.0.1:\(port)/seatcatcher",
                headers: [("Authorization", "Bearer \(try key.token { $0.sub = "\(account)" })")],
                handshake: SocketHouse.identity()
            )
        }
    }

    @Test func changeDuringCarRead_reachesEverySubscriber() async throws {
        try await SeatsWorld.test { (world) async throws in
            let seat = try await world.car(1)[0].seatStatus[0].seatId
            let car = try CarAddress(train: "2234", code: "2429")
            let views = CarViews(database: world.database, hub: STOMPHub())
            let change = StoredMessage(
                id: 1_000_000,
                topic: LiveTopic.car(car).name,
                body: #"[{"seat":\#(seat),"occupant":null}]"#
            )
            let (snapshots, applied) = try await world.database.transaction { transaction in
                try await transaction.execute("LOCK TABLE passengers IN ACCESS EXCLUSIVE MODE")
                let first = Task { try await views.snapshot(of: car)?.id }
                try await transaction.waitUntilBlocking()
                // The second snapshot and the change enter the actor while the first waits for the database.
                let second = Task { try await views.snapshot(of: car)?.id }
                let applied = Task { try await views.hear(change, about: car) }
                for _ in 0..<100 { await Task.yield() }
                return ([first, second], applied)
            }
            for snapshot in snapshots { #expect(try await snapshot.value == change.id) }
            try await applied.value
        }
    }

    /// A PostgreSQL notification holds less than 8,000 bytes.
    @Test func changeTooLongForNotify_isReadFromTable() async throws {
        try await House.test { house in
            let name = String(repeating: "긴", count: 4000)
            try await house.world.register(1, name)
            let seat = try await house.world.car(2)[0].seatStatus[0].seatId
            let client = try await house.connect(2)
            var frames = try await client.subscribe("/topic/seat.2234").makeAsyncIterator()
            _ = try await frames.next()
            #expect(try await house.world.occupy(seat, 1) == "201")
            let shown = try await frames.next()
            #expect(shown.map { String(buffer: $0.body).contains(name) } == true)
        }
    }
}
