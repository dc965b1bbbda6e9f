import AppClients
import Apps
import Contracts
import FoundationEssentials
import Synchronization
import TestKit
import Testing

@testable import Stack
@testable import StackKit

/// `stack upgrade` of everything while three apps are used.
@Suite(.timeLimit(.minutes(20)), .stack) struct UpgradeUnderLoadTests {
    private var fixture: StackFixture { .current }

    /// What the apps were answered.
    private final class Record: Sendable {
        private let state = Mutex((answers: [String: Int](), failures: [String](), isStopped: false))

        /// The number of answers by operation.
        var answers: [String: Int] { state.withLock(\.answers) }
        var failures: [String] { state.withLock(\.failures) }
        var isStopped: Bool { state.withLock(\.isStopped) }

        func stop() { state.withLock { $0.isStopped = true } }

        /// Repeats a request until it is stopped.
        func collect(_ name: String, _ request: () async throws -> ClientResponse) async {
            while !isStopped {
                var failure: String?
                do {
                    let answer = try await request()
                    if !(200..<300).contains(answer.status) { failure = "\(answer.status) \(answer.body)" }
                } catch {
                    failure = "\(error)"
                }
                state.withLock { state in
                    state.answers[name, default: 0] += 1
                    if let failure { state.failures.append("\(name): \(failure)") }
                }
                try? await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    private func join(_ name: String, _ gateway: String) async throws -> AnlakaClient {
        let client = AnlakaClient(gateway, key: AppKey.anlaka)
        let email = "\(name)-\(UInt32.random(in: 0...UInt32.max))@example.com"
        try await client.join(SeSACAccount(email: email, password: "anlaka2025!", nick: "새싹")).json()
        return client
    }

    @Test func upgradeOfEverything_failsNoRequest() async throws {
        let limits = ["RATE_ADDRESS": "0", "RATE_ACCOUNT": "0", "RATE_SIGN_IN": "0"]
        let up = try await fixture.run("up", variables: limits)
        #expect(up.isSuccess, "\(up.text)")
        let gateway = "http://127.0.0.1:\(fixture.port("GATEWAY_PORT"))"
        let outside = SandboxClient("http://127.0.0.1:\(fixture.port("SANDBOX_PORT"))")
        let (person, neighbour) = (try await join("person", gateway), try await join("neighbour", gateway))
        let other = try await neighbour.send(\.getOwnProfile).json().text("user_id")
        let room = try await person.send(\.openChatRoom, body: ["opponent_id": .string(other)]).json().text("room_id")
        let post: RequestBody = [
            "category": "맛집", "title": "국밥", "content": "골목 안", "longitude": 127.045, "latitude": 37.652, "files": [],
        ]
        let place = try await person.send(\.createPost, body: post).json().text("post_id")
        let worker = MOUPClient(gateway)
        try await worker.signIn(code: outside.googleCode("upgrade")).json(201)
        try await worker.register("하루", as: "ROLE_WORKER").json()
        let passenger = SeatCatcherClient(gateway)
        try await passenger.signIn(kakao: outside.kakaoToken(4_000_001))

        let record = Record()
        let load = Task {
            await withDiscardingTaskGroup { group in
                group.addTask { await record.collect("auth") { try await person.send(\.getOwnProfile) } }
                group.addTask { await record.collect("notifications") { try await person.send(\.listNotifications) } }
                group.addTask { await record.collect("community") { try await neighbour.comment("맛있어요", on: place) } }
                group.addTask { await record.collect("chat") { try await person.write("안녕하세요", in: room) } }
                group.addTask { await record.collect("seats") { try await passenger.send(\.getStation, 1) } }
                group.addTask { await record.collect("workforce") { try await worker.send(\.listWorkplaces) } }
                group.addTask { await record.collect("estate") { try await person.send(\.listLikedEstates) } }
                group.addTask { await record.collect("payments") { try await person.send(\.listOrders) } }
            }
        }
        let services = ServiceName.ofApps.map(\.rawValue)
        try await eventually("every service is used") { Set(record.answers.keys) == Set(services) }
        let connected = (KernelFile.text("/proc/net/unix") ?? "").split(separator: "\n")
        for service in services {
            let name = "/\(service)-\(fixture.port("\(service.uppercased())_PORT")).socket"
            // One listens, and each of the others serves a connection of the gateway.
            #expect(connected.count { $0.hasSuffix(fixture.folder.sockets + name) } > 1, "\(name)")
        }
        let before = fixture.names.map { fixture.folder.pidFile(of: $0).process }
        let upgrade = try await fixture.run("upgrade", variables: fixture.ports.merging(limits) { $1 })
        #expect(upgrade.isSuccess, "\(upgrade.text)")
        let answers = record.answers
        try await eventually("the new copies are used") {
            services.allSatisfy { record.answers[$0, default: 0] > answers[$0, default: 0] + 10 }
        }
        record.stop()
        await load.value
        #expect(record.failures == [])
        let after = fixture.names.map { fixture.folder.pidFile(of: $0).process }
        for (name, (old, new)) in zip(fixture.names, zip(before, after)) {
            #expect((old == new) == (name == "sandbox"), "\(name)")
            #expect(new?.isAlive == true)
        }
        #expect(fixture.processes.count == fixture.names.count)
        #expect(try await fixture.run("status", variables: [:]).isSuccess)
        #expect(try await fixture.run("down").isSuccess)
        #expect(fixture.folder.processes.isEmpty)
    }
}
