import AppClients
import Apps
import Backups
import Contracts
import FoundationEssentials
import PostgresServer
import Synchronization
import TestKit
import Testing

@testable import Stack
@testable import StackKit

/// The database's disk is lost while the apps are used; what the apps were answered is restored.
@Suite(.timeLimit(.minutes(20)), .stack) struct RestoreDrillTests {
    private var fixture: StackFixture { .current }

    /// What the apps were answered, and when.
    private struct Answer: Sendable {
        /// The text of a message, the name of a workplace, the id of a payment, or the month of a payslip.
        var value: String
        /// The order of a payment, or the gross income of a payslip.
        var detail = ""
        var at = Date.now
    }

    private final class Answers: Sendable {
        private let state = Mutex<[String: [Answer]]>([:])
        private let errors = Mutex<[String: String]>([:])

        /// Why actions have ended.
        var failures: [String: String] { errors.withLock { $0 } }

        subscript(kind: String) -> [Answer] { state.withLock { $0[kind] ?? [] } }

        /// Repeats an action until it fails, below the limits of an account.
        func collect(_ kind: String, upTo limit: Int = .max, _ action: (Int) async throws -> Answer) async {
            for number in 1...limit {
                do {
                    let answer = try await action(number)
                    state.withLock { $0[kind, default: []].append(answer) }
                } catch {
                    return errors.withLock { $0[kind] = "\(error)" }
                }
                try? await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    @Test func lostDisk_losesNoPaymentMessageOrPayslip() async throws {
        let backups = "\(fixture.folder.path)-backups"
        let variables = fixture.ports.merging(["BACKUP_TO": backups]) { $1 }
        defer { try? FileManager.default.removeItem(atPath: backups) }
        let unwritable = try await fixture.run("up", variables: ["BACKUP_TO": "/proc/backups"])
        #expect(!unwritable.isSuccess && unwritable.text.contains("cannot write /proc/backups"), "\(unwritable.text)")
        #expect(!fixture.hasDatabase)
        let up = try await fixture.run("up", variables: variables)
        #expect(up.isSuccess, "\(up.text)")
        try await fixture.waitUntilReady()
        try await eventually("a backup is complete") { try await firstBackup(in: backups) != nil }

        let (gateway, sandbox) = ("http://127.0.0.1:\(fixture.port("GATEWAY_PORT"))", fixture.port("SANDBOX_PORT"))
        let outside = SandboxClient("http://127.0.0.1:\(sandbox)")
        let (person, neighbour) = (try await join("person", gateway), try await join("neighbour", gateway))
        let other = try await neighbour.send(\.getOwnProfile).json().text("user_id")
        let room = try await person.send(\.openChatRoom, body: ["opponent_id": .string(other)]).json().text("room_id")
        let owner = try await sign("사장", as: "ROLE_OWNER", gateway, outside)
        let worker = try await sign("하루", as: "ROLE_WORKER", gateway, outside)
        let shop = try await owner.openWorkplace()
        let job = try await worker.join(owner.inviteCode(shop))
        try await owner.send(\.acceptWorker, shop, job).json(204)

        let answers = Answers()
        let load = Task {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    await answers.collect("message") { number in
                        try await person.write("\(number)번째", in: room).json()
                        return Answer(value: "\(number)번째")
                    }
                }
                group.addTask {
                    await answers.collect("workplace", upTo: 15) { number in
                        let body: RequestBody = [
                            "workplaceName": "\(number)호점", "categoryName": "카페", "address": "서울 마포구",
                            "latitude": 37.55, "longitude": 126.92, "ownerBasedLabelColor": "NAVY",
                        ]
                        try await owner.send(\.createWorkplace, body: body).json(201)
                        return Answer(value: "\(number)호점")
                    }
                }
                group.addTask {
                    // Each shift raises the pay of one of 36 months.
                    await answers.collect("payslip", upTo: 36 * 28) { number in
                        let index = (number - 1) % 36
                        let month = "\(2024 + index / 12)-\(String(index % 12 + 101).dropFirst())"
                        let day = "\(month)-\(String((number - 1) / 36 + 101).dropFirst())"
                        let shift: RequestBody = [
                            "workerIdList": [.integer(job.rawValue)], "startTime": "\(day)T00:00:00Z",
                            "endTime": "\(day)T0\(number % 9 + 1):00:00Z", "restTimeMinutes": 0, "repeatDays": [],
                        ]
                        try await owner.send(\.createShiftsForWorkers, shop, body: shift).json(201)
                        return Answer(value: month, detail: String(try await income(of: worker, in: month, at: shop)))
                    }
                }
                group.addTask { await answers.collect("payment") { _ in try await pay(person, neighbour, outside) } }
            }
        }
        try await eventually("the apps are used") {
            try #require(answers.failures.isEmpty)
            return ["message", "workplace", "payment", "payslip"].allSatisfy { answers[$0].count > 5 }
        }
        let used = Date.now
        try await eventually("a second of it is archived") {
            (ArchiveState(of: fixture.folder)?.until ?? .distantPast) > used.addingTimeInterval(1)
        }
        let server = try PostgresServer(directory: fixture.folder.postgres)
        try await server.kill()
        try await server.remove()
        await load.value
        let log = LogFile(path: fixture.folder.log(of: Supervisor.name))
        try await eventually("no empty database takes its place") {
            log.lastLines(100).contains { $0.contains("restore it: stack restore") }
        }
        #expect(!fixture.hasDatabase)
        let running = try await fixture.run("restore", variables: variables)
        #expect(!running.isSuccess && running.text.contains("stop it first: stack down"), "\(running.text)")
        #expect(try await fixture.run("down").isSuccess)
        let until = try #require(ArchiveState(of: fixture.folder)?.until)
        let early = try await fixture.run("restore", "--to", "2020-01-01T00:00:00+09:00", variables: variables)
        #expect(!early.isSuccess && early.text.contains("the first backup in \(backups) ended at"), "\(early.text)")
        let wrong = try await fixture.run("restore", "--to", "yesterday", variables: variables)
        #expect(!wrong.isSuccess && wrong.text.contains("write it as 2026-11-25T12:34:56+09:00"), "\(wrong.text)")

        let restored = try await fixture.run("restore", variables: variables)
        #expect(restored.isSuccess && restored.text.contains("Start everything: stack up"), "\(restored.text)")
        let again = try await fixture.run("up", variables: variables)
        #expect(again.isSuccess, "\(again.text)")
        func acknowledged(_ kind: String) -> [Answer] { answers[kind].filter { $0.at < until } }
        for kind in ["message", "payment", "payslip"] { #expect(acknowledged(kind).count > 5, "\(kind)") }
        let texts = try await messages(in: room, person)
        for message in acknowledged("message") { #expect(texts.contains(message.value), "\(message)") }
        for payslip in acknowledged("payslip") {
            let income = try await income(of: worker, in: payslip.value, at: shop)
            #expect(income >= Int64(payslip.detail) ?? .max, "\(payslip)")
        }
        let places = try await owner.send(\.listWorkplaces).json().description
        for place in acknowledged("workplace") { #expect(places.contains(place.value), "\(place)") }
        for payment in acknowledged("payment") {
            let receipt = try await person.send(\.getReceipt, payment.detail).json()
            #expect(receipt["imp_uid"]?.string == payment.value)
        }
        try await fixture.waitUntilReady()
        #expect(try await fixture.run("down").isSuccess)
    }

    private func firstBackup(in folder: String) async throws -> BackupManifest? {
        try await BackupCatalogue(of: FolderPlace(path: folder)).backups.first
    }

    private func join(_ name: String, _ gateway: String) async throws -> AnlakaClient {
        let client = AnlakaClient(gateway, key: AppKey.anlaka)
        let email = "\(name)-\(UInt32.random(in: 0...UInt32.max))@example.com"
        try await client.join(SeSACAccount(email: email, password: "anlaka2025!", nick: "새싹")).json()
        return client
    }

    private func sign(_ name: String, as role: String, _ gateway: String, _ outside: SandboxClient) async throws
        -> MOUPClient
    {
        let client = MOUPClient(gateway)
        let code = try await outside.googleCode("\(UInt64.random(in: 0...UInt64.max))", name: name)
        try await client.signIn(code: code).json(201)
        try await client.register(name, as: role).json()
        return client
    }

    /// Pays for the reservation of a listing of its own.
    private func pay(_ person: AnlakaClient, _ seller: AnlakaClient, _ outside: SandboxClient) async throws -> Answer {
        let body: RequestBody = [
            "category": "원룸", "title": "예약할 수 있는 원룸", "introduction": "역에서 5분", "reservation_price": 70_000,
            "thumbnails": [], "description": "남향", "deposit": 5_000_000, "monthly_rent": 450_000,
            "built_year": "2019-03-02", "maintenance_fee": 50_000, "area": 23.1, "parking_count": 0, "floors": 2,
            "is_safe_estate": true, "is_recommended": false, "options": ["sink": true], "longitude": 127.0454,
            "latitude": 37.6522,
        ]
        let listing = try await seller.send(\.createEstate, body: body).json().text("estate_id")
        let code = try await person.send(\.placeOrder, body: ["estate_id": .string(listing), "total_price": 70_000])
            .json().text("order_code")
        let payment = try await outside.pay(code, 70_000)
        try await person.validate(payment).json()
        return Answer(value: payment, detail: code)
    }

    /// The gross income of a month's payslip, in won.
    private func income(of worker: MOUPClient, in month: String, at shop: WorkplaceID) async throws -> Int64 {
        let payslip = try await worker.send(\.getOwnPayslip, shop, month).json()["payslip"]
        return try #require(payslip).number("grossIncome")
    }

    /// The texts of all messages of a room.
    private func messages(in room: String, _ client: AnlakaClient) async throws -> Set<String> {
        var texts: Set<String> = []
        var from = "2020-01-01T00:00:00.000Z"
        while true {
            let page = try await client.send(\.listMessages, room, query: "from=\(from)").json()["data"]?.elements ?? []
            guard let last = page.last else { return texts }
            texts.formUnion(page.compactMap { $0["content"]?.string })
            from = try last.text("createdAt")
        }
    }
}
