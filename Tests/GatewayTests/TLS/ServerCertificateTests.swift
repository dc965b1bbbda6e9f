import FoundationEssentials
import Logging
import StackKit
import TestKit
import Testing

@testable import Gateway

@Suite struct ServerCertificateTests {
    private static func fault(certificate: String, key: String? = nil, now: Date = .now) -> CertificateFault? {
        do {
            _ = try ServerCertificate(
                certificate: Array(certificate.utf8),
                key: Array((key ?? certificate).utf8),
                now: now
            )
            return nil
        } catch {
            return error
        }
    }

    @Test func usableFiles_areTaken() throws {
        #expect(Self.fault(certificate: try TestCertificate.text()) == nil)
    }

    @Test func unusableFiles_areRefusedWithReason() throws {
        let good = try TestCertificate.text()
        #expect(Self.fault(certificate: "") == .noCertificate)
        #expect(
            Self.fault(certificate: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n") == .noCertificate
        )
        #expect(Self.fault(certificate: good, key: "") == .noKey)
        #expect(
            Self.fault(certificate: good, key: good.replacing("PRIVATE KEY", with: "ENCRYPTED PRIVATE KEY")) == .noKey
        )
        #expect(Self.fault(certificate: good, key: try TestCertificate.text()) == .otherKey)
    }

    @Test func certificateOutsideOfItsTime_isRefused() throws {
        let text = try TestCertificate.text(lifetime: 60)
        guard case .expired = Self.fault(certificate: text, now: .now.addingTimeInterval(120)) else {
            return #expect(Bool(false), "it has expired")
        }
        guard case .notYetValid = Self.fault(certificate: text, now: .now.addingTimeInterval(-7200)) else {
            return #expect(Bool(false), "it is not valid yet")
        }
    }

    @Test(arguments: [
        ("localhost", true), ("LocalHost", true), ("a.local", true), ("b.a.local", false), ("local", false),
        (".local", false), ("example.com", false), ("", false),
    ])
    func host_isComparedWithCertificate(host: String, isCovered: Bool) throws {
        let text = Array(try TestCertificate.text(for: [.name("localhost"), .name("*.local")]).utf8)
        #expect(try ServerCertificate(certificate: text, key: text).covers(host) == isCovered)
    }

    @Test func certificateOfAddresses_coversEveryHost() throws {
        let text = Array(try TestCertificate.text(for: [.v4([127, 0, 0, 1])]).utf8)
        #expect(try ServerCertificate(certificate: text, key: text).covers("example.com"))
    }

    @Test func changedFile_isTaken_andUnusableOneLeavesTheFormer() async throws {
        try await TestCertificate.with { certificate in
            let log = RecordedLog()
            let certificates = try ServerCertificates(certificate.files, logger: log.logger)
            let first = certificates.current.validUntil
            certificates.reload()
            #expect(certificates.current.validUntil == first)

            try certificate.write(TestCertificate.text(lifetime: 3 * 86_400))
            certificates.reload()
            let second = certificates.current.validUntil
            #expect(second > first)

            let expired = try TestCertificate.text(now: .now.addingTimeInterval(-100_000), lifetime: 3600)
            for text in ["", expired, "no certificate"] {
                try certificate.write(text)
                certificates.reload()
                certificates.reload()
                #expect(certificates.current.validUntil == second)
            }
            #expect(log.lines.filter { $0.message == "tls: new certificate refused, the former stays" }.count == 3)

            try certificate.write(TestCertificate.text(lifetime: 5 * 86_400))
            certificates.reload()
            #expect(certificates.current.validUntil > second)
        }
    }

    @Test func missingFile_isNamed() {
        let files = ServerCertificate.Files(certificate: "/none/server.pem", key: "/none/server.pem")
        #expect(throws: CertificateFault.unreadable(path: "/none/server.pem")) {
            _ = try ServerCertificates(files, logger: Logger(label: "test"))
        }
    }
}
