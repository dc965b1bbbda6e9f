import Contracts
import Logging
import Postgres
import PostgresServer
import TestKit
import Testing

@testable import Chat

/// Clients send and receive through the gateway, on two copies of the service, while copies, gateway and PostgreSQL are
/// killed. In the end every client has received what is stored: no gap, no duplicate, no confirmed message lost.
@Suite(.timeLimit(.minutes(30))) struct CrashTests {
    @Test func messages_afterProcessCrashes_areComplete() async throws {
        let plan = CrashPlan.current
        // PostgreSQL is killed, not its machine, so its files would survive without fsync too. It is on because the
        // test has the settings of production.
        let server = try await TestServer.another(settings: ["shared_buffers": "64MB", "fsync": "on"])
        try await server.start(detached: false)
        let key = TestKey()
        do {
            try await key.published { url in
                let rig = try CrashRig(server: server, key: key, authURL: url)
                do {
                    try await Self.run(plan, rig)
                } catch {
                    for part in CrashRig.Part.allCases { print("\(part):\n\(rig.text(part))") }
                    try await rig.shutDown()
                    throw error
                }
                try await rig.shutDown()
            }
        } catch {
            try await server.stop(.immediate)
            throw error
        }
        try await server.stop(.immediate)
    }

    // MARK: The story

    private static func run(_ plan: CrashPlan, _ rig: CrashRig) async throws {
        let configuration = try PostgresConfiguration(
            url: rig.server.adminURL(),
            schema: "chat",
            applicationName: "test"
        )
        let database = PostgresClient(configuration, logger: .quiet)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await database.run() }
            defer { group.cancelAll() }
            try await database.execute("CREATE SCHEMA chat")
            for part in CrashRig.Part.allCases { try await rig.start(part) }
            let rooms = try await enter(plan, database)
            let record = CrashRecord()
            try await storm(plan, rooms, rig, record)
            #expect(record.has("killed first") && record.has("killed PostgreSQL"), "processes were killed")
            print("crash test: seed \(plan.seed), \(plan.messages) messages; \(record.summary)")
            try await CrashVerdict(plan: plan, rooms: rooms, rig: rig, record: record, database: database).check()
        }
    }

    /// - Returns: the rooms' public ids.
    private static func enter(_ plan: CrashPlan, _ database: PostgresClient) async throws -> [String] {
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

    private static func storm(
        _ plan: CrashPlan,
        _ rooms: [String],
        _ rig: CrashRig,
        _ record: CrashRecord
    ) async throws {
        let phones = (0..<plan.phones).map { number in
            CrashPhone(number: number, room: rooms[plan.room(of: number)], plan: plan, rig: rig, record: record)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await strikeWithoutEnd(plan, rig, record) }
            await withTaskGroup { writing in
                for phone in phones { writing.addTask { await phone.write() } }
            }
            group.cancelAll()
            try await group.waitForAll()
        }
        try await calm(rig)
        await withTaskGroup { group in
            for phone in phones { group.addTask { await phone.hearAll() } }
        }
    }

    /// Kills and restarts one process after the other until the task is cancelled.
    private static func strikeWithoutEnd(_ plan: CrashPlan, _ rig: CrashRig, _ record: CrashRecord) async throws {
        var fate = SplitMix(state: plan.seed)
        var round = 0
        while !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(Int.random(in: plan.pause, using: &fate)))
            if Task.isCancelled { return }
            let pause = Duration.milliseconds(Int.random(in: 0..<400, using: &fate))
            let part: CrashRig.Part? = [.first, nil, .second, .gateway][round % 4]
            record.count(part.map { "killed \($0.rawValue)" } ?? "killed PostgreSQL")
            // A killed process is restarted, also when all messages have been sent meanwhile.
            try await Task {
                if let part {
                    await rig.kill(part)
                    try await Task.sleep(for: pause)
                    try await rig.start(part)
                } else {
                    try await rig.server.kill()
                    try await Task.sleep(for: pause)
                    try await rig.server.start(detached: false)
                }
            }.value
            round += 1
        }
    }

    private static func calm(_ rig: CrashRig) async throws {
        for part in CrashRig.Part.allCases { try await rig.waitUntilReady(part) }
    }
}
