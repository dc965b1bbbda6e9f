import FoundationEssentials
import Glibc
import TestKit
import Testing

@testable import Stack
@testable import StackKit

/// Upgrades of single programs that fail, are cut off, or meet each other, with the real programs.
@Suite(.timeLimit(.minutes(20)), .stack) struct UpgradeCommandTests {
    private var fixture: StackFixture { .current }

    private func recorded(_ name: String) -> ProcessIdentity? { fixture.folder.pidFile(of: name).process }

    /// The running copies of a program, with the ports that they serve.
    private func copies(_ name: String) -> [ProcessIdentity: String] {
        let processes = fixture.folder.processes.filter { $0.executable == name }
        return Dictionary(uniqueKeysWithValues: processes.map { ($0, $0.variable("PORT") ?? "") })
    }

    /// Stops the process of a new copy, so that it does not become ready.
    private func stopNewCopy(_ name: String, beside old: ProcessIdentity) async throws -> ProcessIdentity {
        try await waitForTwoCopies(name)
        let new = try #require(copies(name).keys.first { $0 != old })
        new.send(SIGSTOP)
        return new
    }

    private func waitForTwoCopies(_ name: String) async throws {
        try await eventually("a new \(name) runs", within: .seconds(240)) { copies(name).count == 2 }
    }

    /// One installation for all, since its start takes long.
    @Test func upgrades_endWithOneCopyOfEach() async throws {
        let unstarted = try await fixture.run("upgrade")
        #expect(
            !unstarted.isSuccess && unstarted.text.contains("chat, seats, workforce, estate, payments, gateway do not")
        )
        let up = try await fixture.run("up")
        try #require(up.isSuccess, "\(up.text)")
        try await usesPortsInTurn()
        try await secondUpgradeIsRefused()
        try await interruptedUpgradesLeaveOneCopy()
        try await killedUpgradesAreSettledByTheNext()
        try await killedUpgradeOfGatewayIsSettledByTheNext()
        try await failingCopyIsNamedAndOldOnesGoOn()
        try await downStopsBothCopies()
    }

    private func usesPortsInTurn() async throws {
        let first = try #require(recorded("notifications"))
        #expect(first.variable("PORT") == fixture.port("NOTIFICATIONS_PORT"))
        for port in ["NOTIFICATIONS_SECOND_PORT", "NOTIFICATIONS_PORT"] {
            let old = try #require(recorded("notifications"))
            let upgrade = try await fixture.run("upgrade", "notifications")
            #expect(upgrade.isSuccess, "\(upgrade.text)")
            let new = try #require(recorded("notifications"))
            #expect(new != old && !old.isAlive)
            #expect(copies("notifications") == [new: fixture.port(port)])
            let status = try await fixture.run("status", variables: [:])
            #expect(status.isSuccess && status.text.contains(fixture.port(port)), "\(status.text)")
            // Commands call the copy that runs.
            let notice = try await fixture.run("announce", "moup", "점검 안내", "--key", port)
            #expect(notice.isSuccess, "\(notice.text)")
        }
        let up = try await fixture.run("up")
        #expect(up.isSuccess && up.text.contains("already up"), "\(up.text)")
    }

    private func failingCopyIsNamedAndOldOnesGoOn() async throws {
        let (auth, community, chat) = (recorded("auth"), recorded("community"), recorded("chat"))
        let failing = fixture.ports.merging(["COMMUNITY_REPORTS_TO_HIDE": "few"]) { $1 }
        let upgrade = try await fixture.run("upgrade", "chat", "community", "auth", variables: failing)
        #expect(!upgrade.isSuccess)
        #expect(upgrade.text.contains("the new community stopped while starting (exit code 1)"), "\(upgrade.text)")
        #expect(upgrade.text.contains("COMMUNITY_REPORTS_TO_HIDE must be"), "\(upgrade.text)")
        #expect(upgrade.text.contains("Replaced before: auth; all else goes on as it was."), "\(upgrade.text)")
        #expect(recorded("auth") != auth && recorded("community") == community && recorded("chat") == chat)
        #expect(fixture.processes.count == fixture.names.count)
        #expect(try await fixture.run("status").isSuccess)

        let (descriptor, port) = try PortsTests.listen()
        defer { close(descriptor) }
        let taken = fixture.ports.merging(["SEATS_SECOND_PORT": "\(port)"]) { $1 }
        let seats = try await fixture.run("upgrade", "seats", variables: taken)
        #expect(seats.text.contains("port \(port), which the new seats needs, is taken by"), "\(seats.text)")
        #expect(seats.text.contains("Nothing was replaced"), "\(seats.text)")

        let unknown = try await fixture.run("upgrade", "kakao")
        #expect(!unknown.isSuccess && unknown.text.contains("there is no kakao to upgrade; there are console, auth, "))
        for process in [try #require(fixture.supervisor), try #require(recorded("estate"))] {
            process.send(SIGKILL)
            try await eventually("it is gone") { !process.isAlive }
        }
        let absent = try await fixture.run("upgrade", "estate")
        #expect(
            !absent.isSuccess && absent.text.contains("estate does not run; start it with: stack up"),
            "\(absent.text)"
        )
    }

    /// The upgrade is killed while the new copy starts, and while the old one drains. A copy serves all the time.
    private func killedUpgradesAreSettledByTheNext() async throws {
        for round in 0..<2 {
            let old = try #require(recorded("chat"))
            // A stopped copy does not end by itself.
            old.send(SIGSTOP)
            let (upgrade, _) = try fixture.start("upgrade", "chat")
            var stopped = [old]
            if round == 0 {
                stopped.append(try await stopNewCopy("chat", beside: old))
            } else {
                try await eventually("the new copy is recorded") { recorded("chat") ?? old != old }
            }
            upgrade.send(SIGKILL)
            #expect(try await fixture.ending(of: upgrade) == "signal 9")
            let stays = try #require(recorded("chat"))
            // The new copy may have been ready before it was stopped.
            #expect(round == 0 || stays != old)
            #expect(copies("chat").count == 2)
            stays.send(SIGCONT)
            try await fixture.waitUntilReady()
            let status = try await fixture.run("status").text
            #expect(status.contains("chat has another copy"), "\(status)")
            for copy in stopped { copy.send(SIGCONT) }
            let next = round == 0 ? try await fixture.run("upgrade", "seats") : try await fixture.run("up")
            #expect(next.isSuccess, "\(next.text)")
            #expect(recorded("chat") == stays && copies("chat").keys.map(\.self) == [stays])
            #expect(try await fixture.run("status").isSuccess)
        }
    }

    private func downStopsBothCopies() async throws {
        #expect(try await fixture.run("up").isSuccess)
        let (upgrade, _) = try fixture.start("upgrade", "chat")
        try await waitForTwoCopies("chat")
        upgrade.send(SIGKILL)
        _ = try await fixture.ending(of: upgrade)
        #expect(try await fixture.run("down").isSuccess)
        #expect(fixture.folder.processes.isEmpty && !fixture.hasDatabase)
    }

    /// The command is killed after it has started a gateway. That one takes over, and is recorded by the supervisor or the
    /// next command.
    private func killedUpgradeOfGatewayIsSettledByTheNext() async throws {
        let old = try #require(recorded("gateway"))
        // It hands nothing over while it is stopped.
        old.send(SIGSTOP)
        let (upgrade, _) = try fixture.start("upgrade", "gateway")
        try await waitForTwoCopies("gateway")
        upgrade.send(SIGKILL)
        _ = try await fixture.ending(of: upgrade)
        old.send(SIGCONT)
        // The supervisor may record it, and holds the lock meanwhile.
        try await eventually("the new gateway is recorded") { recorded("gateway") ?? old != old }
        let next = try await fixture.run("upgrade", "seats")
        #expect(next.isSuccess, "\(next.text)")
        let new = try #require(recorded("gateway"))
        #expect(new != old && copies("gateway").keys.map(\.self) == [new])
        #expect(try await fixture.run("status").isSuccess)
    }

    private func interruptedUpgradesLeaveOneCopy() async throws {
        for signal in [SIGINT, SIGTERM] {
            let old = try #require(recorded("chat"))
            old.send(SIGSTOP)
            let (upgrade, log) = try fixture.start("upgrade", "chat", "payments")
            var stopped = [old]
            if signal == SIGINT {
                stopped.append(try await stopNewCopy("chat", beside: old))
            } else {
                try await eventually("the new copy is recorded") { recorded("chat") ?? old != old }
            }
            upgrade.send(signal)
            try await eventually("the copy that is not needed is ended") {
                log.lastLines(10).contains { $0.contains("the other copy") }
            }
            for copy in stopped { copy.send(SIGCONT) }
            #expect(try await fixture.ending(of: upgrade) == "exit code 1")
            let one = try #require(recorded("chat"))
            // The new copy may have been ready before it was stopped.
            #expect(signal == SIGINT || one != old)
            let outcome = one == old ? "Nothing was replaced" : "Replaced before: chat"
            #expect(log.lastLines(3).contains { $0.contains(outcome) }, "\(log.lastLines(10))")
            #expect(log.lastLines(10).contains { $0.contains("interrupted by") })
            #expect(copies("chat").keys.map(\.self) == [one])
            #expect(try await fixture.run("status").isSuccess)
        }
    }

    private func secondUpgradeIsRefused() async throws {
        let old = try #require(recorded("chat"))
        // The first one waits for its end.
        old.send(SIGSTOP)
        let (upgrade, log) = try fixture.start("upgrade", "chat")
        try await waitForTwoCopies("chat")
        let second = try await fixture.run("upgrade", "chat")
        #expect(!second.isSuccess && second.text.contains("(process \(upgrade.pid))"), "\(second.text)")
        // The first needs no old copy.
        old.send(SIGKILL)
        #expect(try await fixture.ending(of: upgrade) == "exit code 0", "\(log.lastLines(20))")
        let new = try #require(recorded("chat"))
        #expect(new != old && copies("chat").keys.map(\.self) == [new])
        #expect(try await fixture.run("status").isSuccess)
    }
}
