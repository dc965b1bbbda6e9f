import FoundationEssentials
import Postgres
import ServiceDatabase

/// SQL of verification codes and verified phone numbers.
struct PhoneStore: Sendable {
    struct Code: Sendable {
        var id: PhoneCodeID
        var digest: [UInt8]
        /// In seconds.
        var age: TimeInterval
        var wrongGuesses: Int
        var spentAt: Date?
    }

    /// Seconds until another code may be sent to a phone number; nil when it may be sent now. Serializes requests for
    /// the same number until the transaction ends.
    func wait(for phone: PhoneNumber, limit: Int, in transaction: PostgresTransaction) async throws -> Int? {
        try await transaction.execute(
            """
            SELECT pg_advisory_xact_lock(hashtextextended('phone codes ' || current_schema() || ' ' || \(phone.text), 0))
            """
        )
        return try await transaction.one(
            """
            SELECT CASE WHEN count(*) >= \(limit)
                THEN greatest(1, ceil(extract(epoch FROM min(sent_at) + interval '10 minutes' - now())))::integer END
            FROM (SELECT sent_at FROM phone_codes
                  WHERE phone = \(phone.text) AND sent_at > now() - interval '10 minutes'
                  ORDER BY id DESC LIMIT \(limit)) c
            """
        ) { try $0.decode(Int?.self) }
    }

    func insert(_ digest: [UInt8], for phone: PhoneNumber, in database: some Querying) async throws -> PhoneCodeID {
        try await database.one(
            "INSERT INTO phone_codes (phone, digest) VALUES (\(phone.text), \(digest)) RETURNING id"
        ) { try $0.decode(PhoneCodeID.self) }
    }

    func delete(_ code: PhoneCodeID, in database: some Querying) async throws {
        try await database.execute("DELETE FROM phone_codes WHERE id = \(code)")
    }

    /// The newest code of a phone number, its row locked until the transaction ends, so that guesses are serialized.
    func newest(of phone: PhoneNumber, lockedIn transaction: PostgresTransaction) async throws -> Code? {
        try await transaction.optional(
            """
            SELECT id, digest, extract(epoch FROM clock_timestamp() - sent_at)::double precision, wrong_guesses, spent_at
            FROM phone_codes WHERE phone = \(phone.text) ORDER BY id DESC LIMIT 1 FOR UPDATE
            """
        ) { row in
            let (id, digest, age, wrongGuesses, spentAt) = try row.decode(
                as: (PhoneCodeID, [UInt8], Double, Int, Date?).self
            )
            return Code(id: id, digest: digest, age: age, wrongGuesses: wrongGuesses, spentAt: spentAt)
        }
    }

    func countWrongGuess(_ code: PhoneCodeID, in database: some Querying) async throws {
        try await database.execute("UPDATE phone_codes SET wrong_guesses = wrong_guesses + 1 WHERE id = \(code)")
    }

    func spend(_ code: PhoneCodeID, in database: some Querying) async throws {
        try await database.execute("UPDATE phone_codes SET spent_at = now() WHERE id = \(code)")
    }

    /// Records a phone number as verified, in place of an earlier proof.
    func prove(_ phone: PhoneNumber, _ proof: PhoneProof, in database: some Querying) async throws {
        try await database.execute(
            """
            INSERT INTO phone_proofs (phone, flow, address, user_agent, account_id, after_sign_up)
            VALUES (\(phone.text), \(proof.flow.rawValue), \(proof.origin.address), \(proof.origin.userAgent),
                    \(proof.account), \(proof.flow == .signedUp))
            ON CONFLICT (phone) DO UPDATE SET proved_at = now(), flow = excluded.flow, address = excluded.address,
                user_agent = excluded.user_agent, account_id = excluded.account_id,
                after_sign_up = excluded.after_sign_up
            """
        )
    }

    /// Consumes the proof of a phone number, if it serves the same flow, and was made by the same account, or without an
    /// account from the same address with the same user agent: anyone who knows the number could otherwise use the
    /// proof before its owner.
    ///
    /// - Returns: whether there was one.
    func spendProof(
        of phone: PhoneNumber,
        for wanted: PhoneProof,
        in database: some Querying
    ) async throws -> Bool {
        try await database.execute(
            """
            DELETE FROM phone_proofs
            WHERE phone = \(phone.text) AND flow = \(wanted.flow.rawValue)
              AND CASE WHEN account_id IS NULL
                  THEN address IS NOT DISTINCT FROM \(wanted.origin.address)
                       AND user_agent IS NOT DISTINCT FROM \(wanted.origin.userAgent)
                  ELSE account_id = \(wanted.account) END
              AND proved_at > now() - make_interval(secs => \(wanted.flow.lifetime))
            """
        ) == 1
    }

    /// Deletes expired codes and proofs.
    func forgetPast(in database: PostgresClient) async throws {
        try await database.prune("phone_codes", where: "sent_at < now() - interval '15 minutes'")
        try await database.prune("phone_proofs", where: "proved_at < now() - interval '15 minutes'")
    }
}
