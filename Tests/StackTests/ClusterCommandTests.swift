import AppClients
import Apps
import FoundationEssentials
import TestKit
import Testing

@testable import Stack
@testable import StackKit

/// Three hosts run on this machine, and what connects them fails.
@Suite(
    .enabled("network namespaces and nats-server are needed") { await ClusterFixture.isPossible },
    .serialized,
    .timeLimit(.minutes(30)),
    .cluster
)
struct ClusterCommandTests {
    private var fixture: ClusterFixture { .current }

    @Test func faults_loseAndDoubleNoMessage() async throws {
        try await fixture.require("up")
        try await statusShowsWhoIsWhere()
        let room = try await ClusterRoom((1...3).map { try fixture.gateway($0) })
        try await room.messages.whileWriting {
            try await programsAreKilled()
            try await room.messages.goOn(for: 10)
            try await linkIsCut(room)
            try await fixture.require("restart", "2", "nats")
            try await room.messages.goOn(for: 10)
            try await fixture.require("restart", "1", "postgres")
            try await room.messages.goOn(for: 10)
            try await linkIsSlow(room)
            try await fixture.waitUntilReady()
        }
        await room.requireAll()
        try await downLeavesNothing()
    }

    private func statusShowsWhoIsWhere() async throws {
        try await fixture.waitUntilReady()
        let status = try await fixture.stack("status").text.split(separator: "\n").map {
            $0.split(separator: " ").joined(separator: " ")
        }
        let network = try fixture.folder.running.network
        for host in 1...3 {
            let address = network.address(of: host)
            for program in ["gateway", "auth", "chat", "supervisor"] {
                #expect(status.contains { $0.hasPrefix("\(host) \(address) \(program) ") && $0.contains(" ready ") })
            }
            #expect(status.contains { $0.hasPrefix("\(host) nats ") && $0.hasSuffix("2 of 2 routes") })
            #expect(status.contains("\(host)–clients whole"))
        }
        #expect(status.count { $0.contains(" sandbox ") } == 1)
        #expect(status.contains { $0.hasPrefix("1 postgres ") && $0.contains("primary, the standby lags ") })
        #expect(status.contains { $0.hasPrefix("2 postgres ") && $0.hasSuffix("ready standby") })
    }

    private func programsAreKilled() async throws {
        let programs = try Programs(environment: [:]).upgradable.map(\.name)
        for (number, program) in programs.enumerated() {
            let host = number % 3 + 1
            let file = fixture.folder.installation(of: host).pidFile(of: program)
            let old = file.process
            try await fixture.require("kill", "\(host)", program)
            try await eventually("\(program) is started again", within: .seconds(240)) {
                file.process.map { $0 != old } ?? false
            }
        }
        try await fixture.waitUntilReady()
    }

    private func linkIsCut(_ room: ClusterRoom) async throws {
        try await fixture.require("link", "1", "2", "--cut")
        #expect(try await !reaches(1, 2))
        #expect(try await !reaches(2, 1))
        #expect(try await reaches(3, 1))
        let (isSuccess, text) = try await fixture.stack("status")
        #expect(!isSuccess && text.contains("1–2        cut"))
        try await room.messages.goOn(for: 50)
        try await fixture.require("link", "1", "2", "--restore")
        try await fixture.waitUntilReady()
        #expect(try await reaches(1, 2))
        try await room.messages.goOn(for: 10)
    }

    /// Whether a host's NATS answers another host.
    private func reaches(_ host: Int, _ other: Int) async throws -> Bool {
        let network = try fixture.folder.running.network
        let url = "http://\(network.address(of: other)):\(Cluster.announcerMonitorPort)/healthz"
        let words = network.prefix(of: host) + ["\(Executables.folder)/stack", "ready", url]
        return try await SystemCommand.attempt(words).succeeded
    }

    private func linkIsSlow(_ room: ClusterRoom) async throws {
        let (isSuccess, text) = try await fixture.stack("link", "1", "2", "--delay", "50ms", "--loss", "1%")
        guard await ClusterFixture.canImpair else {
            #expect(!isSuccess && text.contains("this kernel has no sch_netem"))
            return
        }
        #expect(isSuccess && text.contains("delay 50ms loss 1%"))
        try await room.messages.goOn(for: 50)
        try await fixture.require("link", "1", "2", "--restore")
    }

    private func downLeavesNothing() async throws {
        let network = try fixture.folder.running.network
        try await fixture.require("down")
        #expect(try fixture.processes == [])
        #expect(!KernelFile.names("/run/netns").contains { $0.contains(network.token) })
        #expect(try await !SystemCommand.attempt(["ip", "link", "show", network.bridge]).succeeded)
        #expect(try fixture.folder.cluster?.network == nil)
    }

    /// What was acknowledged and has reached the standby is there after the loss of the primary's host.
    @Test func lostPrimary_isReplacedByItsStandby() async throws {
        try await fixture.require("up")
        let gateways = try (1...3).map { try fixture.gateway($0) }
        let account = SeSACAccount(email: "lost@example.com", password: "anlaka2025!", nick: "새싹")
        try await AnlakaClient(gateways[0], key: AppKey.anlaka).join(account)
        try await eventually("the standby has it") { try await fixture.stack("status").text.contains("lags 0 bytes") }
        try await fixture.require("kill", "1")
        try await fixture.require("promote")
        try await signsIn(account, at: gateways[2])
        let later = SeSACAccount(email: "later@example.com", password: "anlaka2025!", nick: "새싹")
        try await eventually("people sign up", within: .seconds(120)) {
            (try? await AnlakaClient(gateways[2], key: AppKey.anlaka).join(later)) != nil
        }
        try await fixture.require("up")
        try await fixture.waitUntilReady()
        #expect(try fixture.folder.cluster?.primary == 2)
        try await signsIn(later, at: gateways[0])
        #expect(try await fixture.stack("status").text.contains("primary, the standby lags "))
    }

    private func signsIn(_ account: SeSACAccount, at gateway: String) async throws {
        try await eventually("\(account.email) signs in", within: .seconds(120)) {
            (try? await AnlakaClient(gateway, key: AppKey.anlaka).signIn(account)) != nil
        }
    }
}
