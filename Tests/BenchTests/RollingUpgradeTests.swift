import FoundationEssentials
import PostgresServer
import StackKit
import TestKit
import Testing

@testable import Bench

/// Copies of the version in production beside those of this one, on one database.
@Suite(.timeLimit(.minutes(10))) struct RollingUpgradeTests {
    /// Each service is upgraded and rolled back, under load. Events, sockets and writes cross from either version to the
    /// other: each new copy serves beside the old one, of services that have not been replaced or already have.
    @Test(.enabled(if: UpgradeBench.previous != nil, "the version in production is built by: make previous"))
    func upgradeAndRollBack_refuseLoseAndDoubleNothing() async throws {
        let upgrade = RollingUpgrade(
            old: try #require(UpgradeBench.previous),
            new: Executables.folder,
            rate: 40,
            sockets: 40,
            steady: .zero,
            rollsBack: true
        )
        let files = FileManager.default.temporaryDirectory.appending(path: "madang-upgrade-\(UUID())").path()
        defer { try? FileManager.default.removeItem(atPath: files) }
        let server = try await TestServer.another(settings: ["shared_buffers": "64MB", "max_connections": "300"])
        try await server.start(detached: false)
        let outcome: Result<AppRecord, any Error>
        do {
            outcome = .success(try await upgrade.run(on: server, files: files))
        } catch {
            outcome = .failure(error)
        }
        try await server.stop(.immediate)
        let record = try outcome.get()
        #expect(record.refusals == [])
        #expect(record.lost == [])
        #expect(record.doubled == [])
    }
}
