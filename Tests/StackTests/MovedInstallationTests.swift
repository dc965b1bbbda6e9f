import Contracts
import FoundationEssentials
import Glibc
import Postgres
import PostgresServer
import TestKit
import Testing

@testable import Moves
@testable import Stack
@testable import StackKit

/// All services of an installation that the demo has used move to another server, and go on there.
@Suite(.timeLimit(.minutes(25)), .stack) struct MovedInstallationTests {
    private static let services = ServiceName.allCases.map(\.rawValue)
    private static let unlimited = ["RATE_ADDRESS": "0", "RATE_ACCOUNT": "0", "RATE_SIGN_IN": "0"]

    private var fixture: StackFixture { .current }

    @Test func everySchema_movesWhole_andServesFromThere() async throws {
        try await succeed("up", variables: Self.unlimited)
        try await succeed("demo")
        try await succeed("down")
        let target = try PostgresServer.temporary(port: FreePort.find(), settings: ["wal_level": "logical"])
        try await target.start(detached: false)
        do {
            try await moveAll(to: target)
            try await succeed("up", variables: Self.unlimited)
            let status = try await succeed("status")
            for service in Self.services { #expect(status.contains("\(service) is in the database at"), "\(status)") }
            // Events between services, pushes and announcements included.
            try await succeed("demo")
            try await operatorsFindAll(target)
            try await estateAndSeatsMoveBackWhileUsed(target)
            try await killedServiceComesBack()
            try await succeed("upgrade", "chat")
            try await absentTargetIsNamed(target)
        } catch {
            try? await target.stop(.immediate)
            throw error
        }
        try await target.stop(.immediate)
    }

    // MARK: Steps

    /// Nothing else uses the database, so that rows can be compared.
    private func moveAll(to target: PostgresServer) async throws {
        let source = try PostgresServer(directory: fixture.folder.postgres, settings: ["wal_level": "logical"])
        try await source.start(detached: true)
        let servers = MoveServers(source: source, target: target)
        do {
            for service in Self.services {
                let before = try await SchemaState(of: service, on: source)
                #expect(before.rows.values.contains { !$0.hasPrefix("0 ") })
                let record = try await servers.move(service)
                before.expectSame(as: try await SchemaState(of: service, on: target), service)
                try fixture.folder.save(record.target, of: service)
            }
        } catch {
            try? await source.stop()
            throw error
        }
        try await source.stop()
    }

    /// Commands that read or change what services have.
    private func operatorsFindAll(_ target: PostgresServer) async throws {
        let payment = try await MoveServers.connect(target) {
            try await $0.value("SELECT imp_uid FROM payments.payments WHERE sold > 0 LIMIT 1", as: String.self)
        }
        let refund = try await succeed("refund", payment, "--amount", "1", "--reason", "확인")
        #expect(refund.contains("refunded: "), "\(refund)")
        // The sandbox has forgotten the payments of before its restart, which the command names.
        let compare = try await fixture.run("compare").text
        #expect(compare.firstMatch(of: /[1-9][0-9]* payments, [1-9][0-9]* differences/) != nil, "\(compare)")
        try await succeed("events list")
        try await succeed("reports list")
        let place = "\(fixture.folder.path)-backup"
        defer { try? FileManager.default.removeItem(atPath: place) }
        let backup = try await succeed("backup", "--to", place)
        for service in Self.services { #expect(backup.contains("\(service) is not in it: it is at "), "\(backup)") }
    }

    /// Their requests are answered as the apps expect all the time.
    private func estateAndSeatsMoveBackWhileUsed(_ target: PostgresServer) async throws {
        for (service, app) in [("estate", "anlaka"), ("seats", "seatcatcher")] {
            let (move, log) = try fixture.start("move", service, "--to", "local")
            var rounds = 0
            while move.isAlive || rounds == 0 {
                try await succeed("demo", app)
                rounds += 1
            }
            #expect(try await fixture.ending(of: move) == "exit code 0", "\(log.lastLines(40))")
            #expect(try fixture.folder.place(of: service) == nil)
            try await succeed("demo", app)
        }
    }

    private func killedServiceComesBack() async throws {
        let killed = try #require(fixture.folder.pidFile(of: "chat").process)
        killed.send(SIGKILL)
        try await eventually("the supervisor has started it again", within: .seconds(240)) {
            fixture.folder.pidFile(of: "chat").process.map { $0 != killed } == true
        }
        try await fixture.waitUntilReady()
        let process = try #require(fixture.folder.pidFile(of: "chat").process)
        #expect(try process.variable("DATABASE_URL") == fixture.folder.place(of: "chat")?.role)
    }

    private func absentTargetIsNamed(_ target: PostgresServer) async throws {
        try await succeed("down")
        try await target.kill()
        let up = try await fixture.run("up", variables: Self.unlimited)
        let place = try #require(try fixture.folder.place(of: "chat")).description
        #expect(!up.isSuccess)
        #expect(up.text.contains("was moved to is away: \(place) cannot be used: "), "\(up.text)")
        #expect(fixture.processes.isEmpty && !fixture.hasDatabase)
        try await target.start(detached: false)
        try await succeed("up", variables: Self.unlimited)
        try await succeed("demo", "culture")
    }

    @discardableResult private func succeed(
        _ verb: String,
        _ words: String...,
        variables: [String: String]? = nil
    ) async throws -> String {
        let result = try await fixture.run(verb, words, variables: variables)
        try #require(result.isSuccess, "\(verb) \(words): \(result.text)")
        return result.text
    }
}
