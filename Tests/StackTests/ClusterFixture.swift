import FoundationEssentials
import Subprocess
import SystemPackage
import TestKit
import Testing

@testable import Stack
@testable import StackKit

/// The folder of a test's cluster.
struct ClusterFixture: Fixture {
    let folder: ClusterFolder

    /// Whether this machine can run a cluster: network namespaces are permitted, and all programs are installed.
    static var isPossible: Bool {
        get async { (try? await ClusterRun.requireTools()) != nil }
    }

    /// Whether this kernel can delay and lose packets.
    static var canImpair: Bool {
        get async { (try? await ClusterLink.requireImpairment()) != nil }
    }

    /// The cluster takes the places of three stacks.
    static func run(_ body: (ClusterFixture) async throws -> Void) async throws {
        try await StackFixture.places.withSlots(3) { try await runAtOnce(body) }
    }

    private static func runAtOnce(_ body: (ClusterFixture) async throws -> Void) async throws {
        try await TemporaryFolder.run { temporary in
            let fixture = ClusterFixture(folder: ClusterFolder(path: "\(temporary.path)/c"))
            let outcome: Result<Void, any Error>
            do {
                outcome = .success(try await body(fixture))
            } catch {
                outcome = .failure(error)
            }
            _ = try await fixture.stack("down")
            try outcome.get()
        }
    }

    func gateway(_ host: Int) throws -> String { "http://\(try folder.running.network.address(of: host)):8080" }

    /// Runs a command of the cluster.
    func stack(_ verb: String, _ words: String...) async throws -> (isSuccess: Bool, text: String) {
        try await stack([verb] + words)
    }

    private func stack(_ words: [String]) async throws -> (isSuccess: Bool, text: String) {
        // A machine on which other tests run answers late.
        let limits = [
            "REQUEST_DEADLINE": "100", "CALL_DEADLINE": "60", "UPSTREAM_TIMEOUT": "120", "RATE_ADDRESS": "0",
            "RATE_ACCOUNT": "0",
        ]
        let (isSuccess, text) = try await SystemCommand.attempt(
            ["\(Executables.folder)/stack", "cluster"] + words + ["--cluster", folder.path],
            environment: limits
        )
        return (isSuccess, text)
    }

    /// Runs a command that has to succeed.
    func require(_ verb: String, _ words: String..., location: SourceLocation = #_sourceLocation) async throws {
        let (isSuccess, text) = try await stack([verb] + words)
        try #require(isSuccess, "stack cluster \(verb) \(words): \(text)", sourceLocation: location)
    }

    /// Waits until `status` succeeds.
    func waitUntilReady() async throws {
        var status = ""
        do {
            try await eventually("all are ready", within: .seconds(240)) {
                let (isSuccess, text) = try await stack("status")
                status = text
                return isSuccess
            }
        } catch {
            Issue.record("\(status)")
            throw error
        }
    }

    /// What runs for the cluster.
    var processes: [ProcessIdentity] {
        get throws {
            let hosts = try folder.cluster?.hosts.map { folder.installation(of: $0) } ?? []
            return (hosts + [folder.servers]).flatMap(\.processes)
        }
    }
}

extension Trait where Self == FixtureTrait<ClusterFixture> {
    static var cluster: Self { .fixture { try await ClusterFixture.run($0) } }
}
