import FoundationEssentials
import NIOCore
import NIOSSL
import SwiftASN1
import X509

/// A server certificate with its chain and private key, ready for connections.
struct ServerCertificate: Sendable {
    /// Where a certificate comes from: files in PEM format, which may be one.
    struct Files: Sendable, Equatable {
        /// `TLS_CERTIFICATE`: the path of the certificate, followed by those of the authorities that issued it.
        var certificate: String
        /// `TLS_KEY`: the path of the certificate's private key.
        var key: String
    }

    let context: NIOSSLContext
    let validUntil: Date
    /// The host names that it is valid for, in lower case; `*.` stands for one label. Empty if it names addresses only.
    private let hosts: Set<String>

    /// - Parameters:
    ///   - certificate: The certificate and its chain, in PEM format.
    ///   - key: The private key, in PEM format.
    /// - Throws: `CertificateFault`.
    init(certificate: [UInt8], key: [UInt8], now: Date = .now) throws(CertificateFault) {
        guard let chain = try? NIOSSLCertificate.fromPEMBytes(certificate), !chain.isEmpty,
            let leaf = Self.document("CERTIFICATE", in: certificate).flatMap({ try? Certificate(pemDocument: $0) })
        else { throw .noCertificate }
        guard let privateKey = try? NIOSSLPrivateKey(bytes: key, format: .pem),
            let secret = Self.document("PRIVATE KEY", in: key).flatMap({ try? Certificate.PrivateKey(pemDocument: $0) })
        else { throw .noKey }
        guard secret.publicKey == leaf.publicKey else { throw .otherKey }
        guard now < leaf.notValidAfter else { throw .expired(leaf.notValidAfter) }
        guard now >= leaf.notValidBefore else { throw .notYetValid(leaf.notValidBefore) }
        let hosts = Self.hosts(of: leaf)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(privateKey)
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["h2", "http/1.1"]
        if !hosts.isEmpty {
            configuration.sslContextCallback = { hello, promise in
                if let name = hello.serverHostname, !Self.covers(name, hosts) {
                    promise.fail(UnknownServerName(name: name))
                } else {
                    promise.succeed(.init())
                }
            }
        }
        do {
            context = try NIOSSLContext(configuration: configuration)
        } catch {
            throw .unusable("\(error)")
        }
        validUntil = leaf.notValidAfter
        self.hosts = hosts
    }

    /// The first document of a kind.
    private static func document(_ kind: String, in bytes: [UInt8]) -> PEMDocument? {
        (try? PEMDocument.parseMultiple(pemString: String(decoding: bytes, as: UTF8.self)))?
            .first { $0.discriminator.hasSuffix(kind) }
    }

    private static func hosts(of leaf: Certificate) -> Set<String> {
        let names = (try? leaf.extensions.subjectAlternativeNames) ?? SubjectAlternativeNames()
        return Set(names.compactMap { if case .dnsName(let name) = $0 { name.lowercased() } else { nil } })
    }

    /// Whether the certificate is valid for a host that a client names in its handshake (RFC 6066 §3).
    func covers(_ host: String) -> Bool {
        hosts.isEmpty || Self.covers(host, hosts)
    }

    private static func covers(_ host: String, _ hosts: Set<String>) -> Bool {
        let host = host.lowercased()
        guard !hosts.contains(host) else { return true }
        guard let dot = host.firstIndex(of: "."), dot != host.startIndex else { return false }
        return hosts.contains("*" + host[dot...])
    }
}

/// Why a certificate cannot be used.
enum CertificateFault: Error, Equatable, CustomStringConvertible {
    case unreadable(path: String)
    case noCertificate, noKey
    /// The key is that of another certificate.
    case otherKey
    case expired(Date)
    case notYetValid(Date)
    case unusable(String)

    var description: String {
        switch self {
        case .unreadable(let path): "\(path) cannot be read"
        case .noCertificate: "TLS_CERTIFICATE has no certificate in PEM format"
        case .noKey: "TLS_KEY has no private key in PEM format"
        case .otherKey: "TLS_KEY is the key of another certificate than TLS_CERTIFICATE"
        case .expired(let date): "TLS_CERTIFICATE expired on \(date.formatted(.iso8601)); renew it"
        case .notYetValid(let date): "TLS_CERTIFICATE is valid from \(date.formatted(.iso8601)); check the clock"
        case .unusable(let reason): "TLS_CERTIFICATE cannot be used: \(reason)"
        }
    }
}

/// A client names a host in its handshake that the certificate is not valid for.
struct UnknownServerName: Error {
    var name: String
}
