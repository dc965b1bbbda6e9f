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

    @Test func changeDuringCarRead_reachesEverySocket() async throws {
        try await House.test { house in
            let seat = try await house.world.car(1)[0].seatStatus[0].seatId
            _ = try await house.world.car(2)
            let clients = [try await house.connect(1), try await house.connect(2)]
            let locked = Rendezvous(2)
            let announced = Rendezvous(2)
            let database = house.world.database
            let id: Int64 = 1_000_000

            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await database.transaction { transaction in
                        try await transaction.execute("LOCK TABLE passengers IN ACCESS EXCLUSIVE MODE")
                        await locked.arrive()
                        await announced.arrive()
                    }
                }
                await locked.arrive()
                for client in clients {
                    group.addTask {
                        var shown = Int64.min
                        for try await frame in try await client.subscribe("/topic/seat.2234") {
                            shown = max(shown, frame.headers["message-id"].flatMap { Int64($0) } ?? 0)
                            if shown == id { break }
                        }
                        #expect(shown == id)
                    }
                }
                try await Task.sleep(for: .milliseconds(200))
                let change = #"[{"seat":\#(seat),"occupant":null}]"#
                let channel = LiveStore.channel(schema: TestDatabase.current.configuration.schema)
                try await database.execute("SELECT pg_notify(\(channel), \("\(id) car/2234/2429 \(change)"))")
                try await Task.sleep(for: .milliseconds(200))
                await announced.arrive()
                try await group.waitForAll()
            }
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
