import FoundationEssentials
import Logging
import NIOSSL
import ServiceLifecycle
import Synchronization

/// The server certificate for new connections. A renewed one is used without a restart: the files are read periodically,
/// and what cannot be used is logged and leaves the current certificate in place.
final class ServerCertificates: Service {
    private struct State {
        var certificate: ServerCertificate
        /// What the files held when they were last read.
        var contents: Contents
        var lastWarning: Date?
    }

    private struct Contents: Equatable {
        var certificate: [UInt8]
        var key: [UInt8]

        init(_ files: ServerCertificate.Files) throws(CertificateFault) {
            certificate = try Self.bytes(files.certificate)
            key = try Self.bytes(files.key)
        }

        private static func bytes(_ path: String) throws(CertificateFault) -> [UInt8] {
            guard let data = FileManager.default.contents(atPath: path) else { throw .unreadable(path: path) }
            return Array(data)
        }
    }

    private let files: ServerCertificate.Files
    private let interval: Duration
    private let logger: Logger
    private let state: Mutex<State>

    /// How long before its expiry a certificate is warned of, in seconds.
    private static let warningTime: TimeInterval = 14 * 86_400
    private static let warningInterval: TimeInterval = 86_400

    /// - Parameter interval: How often the files are read.
    /// - Throws: `CertificateFault`.
    init(_ files: ServerCertificate.Files, interval: Duration = .seconds(10), logger: Logger) throws(CertificateFault) {
        self.files = files
        self.interval = interval
        self.logger = logger
        let contents = try Contents(files)
        let certificate = try ServerCertificate(certificate: contents.certificate, key: contents.key)
        state = Mutex(State(certificate: certificate, contents: contents))
    }

    var current: ServerCertificate { state.withLock(\.certificate) }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            repeat {
                self.reload()
                self.warn()
            } while (try? await Task.sleep(for: self.interval)) != nil
        }
    }

    /// Takes the certificate over that the files hold, if they have changed.
    func reload() {
        do {
            let contents = try Contents(files)
            guard contents != state.withLock(\.contents) else { return }
            // Also if they cannot be used: what is wrong is logged once, and tried again after the next change.
            state.withLock { $0.contents = contents }
            let certificate = try ServerCertificate(certificate: contents.certificate, key: contents.key)
            state.withLock { $0.certificate = certificate }
            logger.notice(
                "tls: certificate renewed",
                metadata: ["until": "\(certificate.validUntil.formatted(.iso8601))"]
            )
        } catch {
            logger.error("tls: new certificate refused, the former stays", metadata: ["error": "\(error)"])
        }
    }

    private func warn(now: Date = .now) {
        let validUntil: Date? = state.withLock { state in
            let validUntil = state.certificate.validUntil
            guard validUntil.timeIntervalSince(now) < Self.warningTime,
                state.lastWarning.map({ now.timeIntervalSince($0) > Self.warningInterval }) ?? true
            else { return nil }
            state.lastWarning = now
            return validUntil
        }
        guard let validUntil else { return }
        logger.warning(
            "tls: the certificate expires soon, renew it",
            metadata: ["until": "\(validUntil.formatted(.iso8601))"]
        )
    }
}
