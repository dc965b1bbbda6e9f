import FoundationEssentials

/// The certificates of a local installation: an authority of its own, and the certificate of its gateway.
package struct LocalCertificates: Sendable {
    private let folder: String

    package init(_ folder: LocalFolder) {
        self.folder = "\(folder.path)/tls"
    }

    /// The certificate that phones and simulators are to trust, in PEM format.
    package var authority: String { "\(folder)/authority.pem" }

    private var authorityKey: String { "\(folder)/authority-key.pem" }

    /// The gateway's certificate and its private key, in one file, so that both are replaced at once.
    package var server: String { "\(folder)/server.pem" }

    /// Creates what is missing, and renews what expires or is for other hosts.
    ///
    /// - Throws: `StackError` if the files cannot be written.
    package func prepare(for hosts: [CertificateHost] = CertificateHost.ofThisMachine) throws {
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let current = currentAuthority
        let authority = try current ?? newAuthority()
        guard current == nil || !isUsable(for: hosts) else { return }
        try PrivateFile.write(Data(authority.issue(for: hosts).text.utf8), to: server)
    }

    private var currentAuthority: CertificateAuthority? {
        guard let certificate = text(authority), let key = text(authorityKey),
            let current = try? CertificateAuthority(certificate: certificate, key: key), current.isUsable()
        else { return nil }
        return current
    }

    private func newAuthority() throws -> CertificateAuthority {
        let new = try CertificateAuthority(name: "Madang, \(CertificateHost.hostName ?? "this machine")")
        try PrivateFile.write(Data(new.key.utf8), to: authorityKey)
        try PrivateFile.write(Data(new.certificate.utf8), to: authority)
        return new
    }

    private func isUsable(for hosts: [CertificateHost]) -> Bool {
        guard let text = text(server), let identity = try? ServerIdentity(text) else { return false }
        return identity.isUsable(for: hosts)
    }

    private func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }
}
