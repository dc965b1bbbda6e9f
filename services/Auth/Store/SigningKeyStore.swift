import Crypto
import FoundationEssentials
import Postgres

/// All SQL of signing keys. Private keys leave and enter sealed.
struct SigningKeyStore: Sendable {
    let database: PostgresClient
    let seal: Seal

    /// All keys, oldest first, with the one that `next` makes added to them. Copies of the service that ask at once take
    /// turns, so that one key is made, not one each.
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

/// The keys were sealed under another secret than the one of this process.
struct SigningKeysSealedOtherwise: Error, CustomStringConvertible {
    var description: String {
        """
        AUTH_KEY_SECRET is not the secret that sealed the signing keys in this database; start with the former one, \
        or empty the table signing_keys to have new keys made, which signs everybody out.
        """
    }
}
