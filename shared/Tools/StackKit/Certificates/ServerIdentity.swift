package import FoundationEssentials
import SwiftASN1
import X509

/// A server's certificate and its private key.
package struct ServerIdentity: Sendable {
    /// Both, in PEM format.
    package let text: String

    private let certificate: Certificate

    /// 397 days, in seconds: phones trust no server for longer than 398 (Apple, "About upcoming limits on trusted
    /// certificates").
    package static let lifetime: TimeInterval = 397 * 86_400
    /// How long before its end a certificate is replaced, in seconds.
    private static let renewalTime: TimeInterval = 60 * 86_400

    /// - Throws: If the text does not begin with a certificate.
    package init(_ text: String) throws {
        self.text = text
        let document = try PEMDocument.parseMultiple(pemString: text).first
        guard let document else { throw StackError("a file without a certificate") }
        certificate = try Certificate(pemDocument: document)
    }

    init(_ certificate: Certificate, key: String) throws {
        text = try "\(certificate.serializeAsPEM().pemString)\n\(key)\n"
        self.certificate = certificate
    }

    /// Whether the certificate is for these hosts, and not about to expire.
    package func isUsable(for hosts: [CertificateHost], at now: Date = .now) -> Bool {
        let names = (try? certificate.extensions.subjectAlternativeNames) ?? SubjectAlternativeNames()
        return Set(names) == Set(hosts.map(\.name))
            && certificate.notValidAfter > now.addingTimeInterval(Self.renewalTime)
    }
}
