import Authentication
import Crypto
import FoundationEssentials
import Logging
import Postgres
import ServiceLifecycle
import Synchronization

/// The signing keys of this installation: shared by all replicas through the database, generated on demand, and rotated
/// on schedule.
final class KeyRing: Service, Sendable {
    private let store: SigningKeyStore
    private let schedule: KeySchedule
    private let keys = Mutex<[SigningKey]>([])
    private let logger: Logger

    init(store: SigningKeyStore, schedule: KeySchedule, logger: Logger) {
        self.store = store
        self.schedule = schedule
        self.logger = logger
    }

    /// The key that currently signs.
    ///
    /// - Throws: `KeyRingError` before the first `refresh`.
    func signing(now: Date = .now) throws(KeyRingError) -> SigningKey {
        let key = keys.withLock { keys in keys.filter { $0.activeAt <= now }.max { $0.activeAt < $1.activeAt } }
        guard let key else { throw .empty }
        return key
    }

    /// The public keys for verifiers: every key that signed an unexpired token, and the next one.
    var published: JWKS {
        JWKS(keys: keys.withLock { $0.map { JWKS.Key(kid: $0.id, key: $0.key.publicKey) } })
    }

    /// The public keys by id, for verification in this process.
    var publicKeys: [String: P256.Signing.PublicKey] {
        keys.withLock { keys in Dictionary(keys.map { ($0.id, $0.key.publicKey) }) { first, _ in first } }
    }

    /// Reads the keys, generates the next one when it is due, and deletes those that are no longer needed.
    func refresh(now: Date = .now) async throws {
        let current = try await store.keys { keys in
            schedule.needsNext(after: keys, now: now)
                ? SigningKey.generate(activeAt: schedule.activation(after: keys, now: now)) : nil
        }
        try await store.deleteKeys(activeBefore: schedule.forgettable(now: now))
        let added = keys.withLock { keys in
            defer { keys = current }
            return current.count > keys.count
        }
        if added {
            logger.notice("key ring: signing keys changed", metadata: ["keys": .stringConvertible(current.count)])
        }
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(min(30, self.schedule.lead / 4)))
                do {
                    try await self.refresh()
                } catch {
                    self.logger.warning("key ring: reading signing keys failed, will retry", error: error)
                }
            }
        }
    }
}

enum KeyRingError: Error {
    /// The keys have not been read yet.
    case empty
}
