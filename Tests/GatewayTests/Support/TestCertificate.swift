import Contracts
import FoundationEssentials
import StackKit
import TestKit

@testable import Gateway

/// A certificate in a file, and the authority that issues it.
struct TestCertificate: Sendable {
    /// Shared, because clients trust the one that they know.
    static let authority = Result { try CertificateAuthority(name: "Test") }

    let path: String

    var files: ServerCertificate.Files { ServerCertificate.Files(certificate: path, key: path) }

    static func text(
        for hosts: [CertificateHost] = [.name("localhost"), .v4([127, 0, 0, 1])],
        now: Date = .now,
        lifetime: TimeInterval = 86_400
    ) throws -> String {
        try authority.get().issue(for: hosts, now: now, lifetime: lifetime).text
    }

    /// Runs a test with a file, of a valid certificate for `localhost` at first.
    static func with(_ test: (TestCertificate) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "gateway-tests-\(UUID().uuidString).pem")
        let certificate = TestCertificate(path: file.path)
        try certificate.write(text())
        defer { try? FileManager.default.removeItem(at: file) }
        try await test(certificate)
    }

    /// Replaces the file.
    func write(_ text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    }
}

extension TestGateway {
    /// Runs a gateway with a certificate, and one service behind all routes.
    static func runWithTLS(
        _ upstream: TestUpstream,
        log: RecordedLog? = nil,
        configure: (inout GatewayConfiguration) -> Void = { _ in },
        test: (TestGateway) async throws -> Void
    ) async throws {
        try await TestCertificate.with { certificate in
            let services = Dictionary(uniqueKeysWithValues: ServiceName.allCases.map { ($0, [upstream]) })
            try await run(
                services,
                log: log,
                configure: {
                    $0.certificate = certificate.files
                    configure(&$0)
                },
                test: test
            )
        }
    }
}
