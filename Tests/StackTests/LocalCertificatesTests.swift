import FoundationEssentials
import Glibc
import TestKit
import Testing

@testable import Stack
@testable import StackKit

@Suite(.folder) struct LocalCertificatesTests {
    private let folder = TemporaryFolder.current.local
    private let certificates = LocalCertificates(TemporaryFolder.current.local)

    private static let hosts: [CertificateHost] = [.name("localhost"), .v4([127, 0, 0, 1])]

    init() throws {
        try folder.prepare()
    }

    private func text(_ path: String) -> String {
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }

    @Test func files_areCreatedForTheirOwner_andKept() throws {
        try certificates.prepare(for: Self.hosts)
        let (authority, server) = (text(certificates.authority), text(certificates.server))
        #expect(authority.hasPrefix("-----BEGIN CERTIFICATE-----") && !authority.contains("PRIVATE KEY"))
        #expect(server.hasPrefix("-----BEGIN CERTIFICATE-----") && server.contains("-----BEGIN PRIVATE KEY-----"))
        for path in [certificates.server, "\(folder.path)/tls/authority-key.pem"] {
            var status = stat()
            #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        }
        try certificates.prepare(for: Self.hosts)
        #expect(text(certificates.authority) == authority && text(certificates.server) == server)
    }

    @Test func otherHosts_getNewCertificate_ofTheSameAuthority() throws {
        try certificates.prepare(for: Self.hosts)
        let (authority, server) = (text(certificates.authority), text(certificates.server))
        try certificates.prepare(for: Self.hosts + [.name("other.local")])
        #expect(text(certificates.authority) == authority && text(certificates.server) != server)
    }

    @Test(arguments: ["authority.pem", "authority-key.pem", "server.pem"], ["", "damaged"])
    func unusableFile_isReplaced(name: String, contents: String) throws {
        try certificates.prepare(for: Self.hosts)
        let path = "\(folder.path)/tls/\(name)"
        try contents.write(toFile: path, atomically: false, encoding: .utf8)
        try certificates.prepare(for: Self.hosts)
        #expect(text(path).hasPrefix("-----BEGIN "))
        let identity = try ServerIdentity(text(certificates.server))
        #expect(identity.isUsable(for: Self.hosts))
    }

    @Test func certificateNearItsEnd_isNotUsable() throws {
        let authority = try CertificateAuthority(name: "Test")
        let identity = try authority.issue(for: Self.hosts)
        #expect(identity.isUsable(for: Self.hosts))
        #expect(!identity.isUsable(for: Self.hosts, at: .now.addingTimeInterval(340 * 86_400)))
        #expect(authority.isUsable())
        #expect(!authority.isUsable(at: .now.addingTimeInterval(3400 * 86_400)))
    }

    @Test func thisMachine_isReachedByNameAndLoopback() {
        let hosts = CertificateHost.ofThisMachine
        #expect(hosts.starts(with: [.name("localhost"), .v4([127, 0, 0, 1]), .loopback6]))
        for case .name(let name) in hosts.dropFirst() { #expect(name.hasSuffix(".local")) }
    }

    @Test func folderThatCannotBeWritten_isNamed() throws {
        try Data().write(to: URL(filePath: "\(folder.path)/tls"))
        let error = #expect(throws: StackError.self) { try certificates.prepare(for: Self.hosts) }
        #expect(error?.description.contains("\(folder.path)/tls") == true)
    }

    @Test func command_namesFileAndAddress() {
        let text = CertificateCommand.text(authority: "/tmp/authority.pem", url: "https://127.0.0.1:8443")
        #expect(text.contains("curl --cacert /tmp/authority.pem https://127.0.0.1:8443/healthz"))
    }
}
