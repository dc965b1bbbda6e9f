import Contracts
import Postgres
import TestKit
import Testing

@testable import Chat

/// Clients send and receive through the gateway, on two copies of the service, while copies, gateway and PostgreSQL are
/// killed. In the end every client has received what is stored: no gap, no duplicate, no confirmed message lost.
@Suite(.timeLimit(.minutes(30))) struct CrashTests {
    @Test func messages_afterProcessCrashes_areComplete() async throws {
        let (plan, key) = (CrashPlan.current, TestKey())
        try await key.published { authURL in
            // PostgreSQL is killed, not its machine, so its files would survive without fsync too. It is on because the
            // test has the settings of production.
            try await CrashHarness.run(schema: "chat", settings: ["fsync": "on"], Self.programs, ports: ["admin"]) {
                try Self.program($0, $1, authURL: authURL)
            } _: { harness, database in
                let rooms = try await Self.addRooms(plan, database)
                let record = CrashRecord(ReceivedMessages())
                let gateway = CrashGateway(harness: harness, key: key)
                try await Self.run(plan, rooms, gateway, record)
                #expect(harness.kills(of: "first") > 0 && harness.kills(of: "PostgreSQL") > 0, "processes were killed")
                print("crash test: seed \(plan.seed), \(plan.messages) messages; \(record.summary)")
                try await CrashCheck(plan: plan, rooms: rooms, gateway: gateway, record: record, database: database)
                    .check()
            }
        }
    }

    static let programs = ["first", "second", "gateway"]

    private static func program(
        _ name: String,
        _ harness: CrashHarness,
        authURL: String
    ) throws -> CrashHarness.Program {
        guard name == "gateway" else {
            let environment = ["DATABASE_URL": try harness.databaseURL, "COMMUNITY_URL": "http://127.0.0.1:9"]
            return .init("chat", environment: environment.merging(["AUTH_URL": authURL]) { $1 })
        }
        return .init(
            "gateway",
            environment: [
                "AUTH_URL": authURL, "CHAT_URL": "\(harness.url("first")),\(harness.url("second"))",
                "ADMIN_PORT": "\(harness.port("admin"))", "RATE_ADDRESS": "0", "RATE_ACCOUNT": "0",
                "GATEWAY_ACCESS_LOG": "off",
            ],
            readyURL: harness.url("admin") + "/readyz"
        )
    }

    /// - Returns: the rooms' public ids.
    private static func addRooms(_ plan: CrashPlan, _ database: PostgresClient) async throws -> [String] {
        try await database.execute(
            """
            INSERT INTO people (account_id, app, public_id, nickname)
            SELECT n, 'anlaka', lpad(to_hex(n), 24, '0'), '사람 ' || n FROM generate_series(1, \(plan.people)) n
            """
        )
        var rooms: [String] = []
        for number in 0..<plan.rooms {
            let (first, second) = (
                AccountID(rawValue: Int64(2 * number + 1)), AccountID(rawValue: Int64(2 * number + 2))
            )
            let room = Room(id: 0, publicID: PublicID.random(), app: .anlaka, first: first, second: second)
            let copies = (PublicID.random(), PublicID.random())
            _ = try await database.transaction {
                try await RoomStore().open(room, copies: copies, opener: first, in: $0)
            }
            rooms.append(room.publicID.rawValue)
        }
        return rooms
    }

    private static func run(
        _ plan: CrashPlan,
        _ rooms: [String],
        _ gateway: CrashGateway,
        _ record: CrashRecord<ReceivedMessages>
    ) async throws {
        let clients = (0..<plan.clients).map { number in
            CrashClient(
                number: number,
                room: rooms[plan.room(of: number)],
                plan: plan,
                gateway: gateway,
                record: record
            )
        }
        let harness = gateway.harness
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                let names = ["first", nil, "second", "gateway"]
                try await harness.crashInTurn(names, pause: plan.pause, seed: plan.seed)
            }
            await withTaskGroup { writing in
                for client in clients { writing.addTask { await client.write() } }
            }
            group.cancelAll()
            try await group.waitForAll()
        }
        for name in programs { try await harness.waitUntilReady(name) }
        await withTaskGroup { group in
            for client in clients { group.addTask { await client.receiveAll() } }
        }
    }
}
