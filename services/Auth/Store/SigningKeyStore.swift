import Crypto
import FoundationEssentials
import Postgres

/// SQL of signing keys. Private keys are stored encrypted.
struct SigningKeyStore: Sendable {
    let database: PostgresClient
    let seal: KeyEncryption

    /// All keys, oldest first, including a new one if `next` returns one. Concurrent replicas are serialized, so that
    /// only one of them adds a key.
    ///
    /// - Throws: `SigningKeysSealedOtherwise`.
    func keys(next: @Sendable ([SigningKey]) -> SigningKey?) async throws -> [SigningKey] {
        let keys = try await keys(in: database)
        guard next(keys) != nil else { return keys }
        return try await database.transaction { transaction in
            try await transaction.execute("LOCK TABLE signing_keys IN SHARE ROW EXCLUSIVE MODE")
            let keys = try await self.keys(in: transaction)
            guard let new = next(keys) else { return keys }
            let sealed = try seal.close(new.key.derRepresentation)
            try await transaction.execute(
                """
                INSERT INTO signing_keys (id, private_key, active_at) VALUES (\(new.id), \(sealed), \(new.activeAt))
                """
            )
            return keys + [new]
        }
    }

    /// Deletes keys that became active before a time.
    func deleteKeys(activeBefore time: Date) async throws {
        try await database.execute("DELETE FROM signing_keys WHERE active_at < \(time)")
    }

    private func keys(in database: some Querying) async throws -> [SigningKey] {
        let rows = try await database.all("SELECT id, private_key, active_at FROM signing_keys ORDER BY active_at") {
            try $0.decode(String.self, [UInt8].self, Date.self)
        }
        do {
            return try rows.map { id, sealed, activeAt in
                SigningKey(
                    id: id,
                    key: try P256.Signing.PrivateKey(derRepresentation: seal.open(sealed)),
                    activeAt: activeAt
                )
            }
        } catch is CryptoKitError {
            throw SigningKeysSealedOtherwise()
        }
    }
}

/// The keys were encrypted under another secret than that of this process.
struct SigningKeysSealedOtherwise: Error, CustomStringConvertible {
    var description: String {
        """
        AUTH_KEY_SECRET is not the secret that sealed the signing keys in this database; start with the former one, \
        or empty the table signing_keys to have new keys made, which ends all sessions.
        """
    }
}
