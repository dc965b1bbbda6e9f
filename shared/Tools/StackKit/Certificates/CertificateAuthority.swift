import Crypto
package import FoundationEssentials
import SwiftASN1
import X509

/// A private certificate authority, for hosts that no public one issues certificates for.
///
/// The host names in what it issues are valid only if they are local ones (RFC 5280 §4.2.1.10), so that a stolen key cannot
/// pretend to be a site of the Internet to those who trust it.
package struct CertificateAuthority: Sendable {
    /// The certificate that clients are to trust, in PEM format.
    package let certificate: String
    /// The private key, in PEM format.
    let key: String

    private let parsed: Certificate
    private let signer: Certificate.PrivateKey

    /// Ten years, in seconds.
    private static let lifetime: TimeInterval = 3650 * 86_400

    /// Creates a new authority.
    ///
    /// - Parameter name: How clients show it.
    package init(name: String, now: Date = .now) throws {
        let key = P256.Signing.PrivateKey()
        let subject = try DistinguishedName {
            OrganizationName("Madang")
            CommonName(name)
        }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: .init(),
            publicKey: .init(key.publicKey),
            notValidBefore: now.addingTimeInterval(-3600),
            notValidAfter: now.addingTimeInterval(Self.lifetime),
            issuer: subject,
            subject: subject,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                Critical(CertificateHost.constraints)
            },
            issuerPrivateKey: .init(key)
        )
        try self.init(certificate: certificate.serializeAsPEM().pemString, key: key.pemRepresentation)
    }

    /// - Throws: If one of them is not in PEM format.
    package init(certificate: String, key: String) throws {
        self.certificate = certificate
        self.key = key
        parsed = try Certificate(pemEncoded: certificate)
        signer = try Certificate.PrivateKey(pemEncoded: key)
    }

    /// Whether it is still valid for longer than what it issues.
    package func isUsable(at now: Date = .now) -> Bool {
        parsed.notValidAfter > now.addingTimeInterval(ServerIdentity.lifetime)
    }

    /// Issues a certificate for a server.
    ///
    /// - Parameter hosts: Names and addresses, each of this machine or of a private network.
    package func issue(
        for hosts: [CertificateHost],
        now: Date = .now,
        lifetime: TimeInterval = ServerIdentity.lifetime
    ) throws -> ServerIdentity {
        let key = P256.Signing.PrivateKey()
        let certificate = try Certificate(
            version: .v3,
            serialNumber: .init(),
            publicKey: .init(key.publicKey),
            // Clocks of phones differ.
            notValidBefore: min(now, now.addingTimeInterval(lifetime)).addingTimeInterval(-3600),
            notValidAfter: now.addingTimeInterval(lifetime),
            issuer: parsed.subject,
            subject: try DistinguishedName { CommonName("Madang") },
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames(hosts.map(\.name))
            },
            issuerPrivateKey: signer
        )
        return try ServerIdentity(certificate, key: key.pemRepresentation)
    }
}
