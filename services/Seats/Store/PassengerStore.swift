import Contracts
import Postgres

/// SQL of passengers.
struct PassengerStore: Sendable {
    /// SeatCatcher's client cannot decode a passenger without a picture.
    static let firstImage = "IMAGE_1"
    /// The name of a passenger before the first profile event.
    private static let unnamed = "승객"

    /// - Returns: nil for an unknown passenger.
    func credit(account: AccountID, in database: some Querying) async throws -> Int64? {
        try await database.optional("SELECT credit FROM passengers WHERE account_id = \(account)") {
            try $0.decode(Int64.self)
        }
    }

    /// Stores a profile, unless the passenger is withdrawn.
    ///
    /// - Returns: whether the stored profile has changed.
    @discardableResult
    func save(
        account: AccountID,
        nickname: String,
        image: String,
        tags: [String],
        in database: some Querying
    ) async throws -> Bool {
        let changed = try await database.execute(
            """
            INSERT INTO passengers (account_id, nickname, image, tags)
            VALUES (\(account), \(nickname), \(image), \(tags))
            ON CONFLICT (account_id) DO UPDATE
            SET nickname = excluded.nickname, image = excluded.image, tags = excluded.tags
            WHERE passengers.withdrawn_at IS NULL
                AND (passengers.nickname, passengers.image, passengers.tags)
                    IS DISTINCT FROM (excluded.nickname, excluded.image, excluded.tags)
            """
        )
        return changed > 0
    }

    /// Checks that a passenger, and optionally another one, may be written about. Their rows stay locked until the
    /// transaction ends, in the order of their ids, so that neither is withdrawn meanwhile. An unknown caller is
    /// inserted: the caller has a token, and the profile event will follow.
    ///
    /// - Throws: `PassengerError.withdrawn`; `.userNotFound` for an unknown or withdrawn other passenger.
    func admit(_ account: AccountID, meeting other: AccountID? = nil, in transaction: PostgresTransaction) async throws
    {
        var present = try await lock(account, other, in: transaction)
        if present[account] == nil {
            try await transaction.execute(
                """
                INSERT INTO passengers (account_id, nickname, image) VALUES (\(account), \(Self.unnamed), \(Self.firstImage))
                ON CONFLICT DO NOTHING
                """
            )
            present = try await lock(account, other, in: transaction)
        }
        guard present[account] == true else { throw PassengerError.withdrawn }
        if let other, present[other] != true { throw PassengerError.userNotFound }
    }

    /// Whether each of the two passengers is not withdrawn; without an entry for an unknown one.
    private func lock(_ one: AccountID, _ other: AccountID?, in transaction: PostgresTransaction) async throws
        -> [AccountID: Bool]
    {
        let rows = try await transaction.run(presence(of: [one, other ?? one]))
        return Dictionary(rows) { first, _ in first }
    }

    /// Locks passengers, and reads whether each is not withdrawn; without a row for an unknown one.
    func presence(of accounts: [AccountID]) -> Statement<[(AccountID, Bool)]> {
        .all(
            """
            SELECT account_id, withdrawn_at IS NULL FROM passengers
            WHERE account_id = ANY(\(accounts)) ORDER BY account_id FOR NO KEY UPDATE
            """
        ) { try $0.decode(AccountID.self, Bool.self) }
    }

    /// Locks a passenger who takes a seat together with those whose credit moves if the seat's lease has ended: its
    /// occupant and those who request it. Whether each is not withdrawn, as `presence(of:)`.
    func presence(of account: AccountID, taking seat: SeatID) -> Statement<[(AccountID, Bool)]> {
        .all(
            """
            SELECT account_id, withdrawn_at IS NULL FROM passengers
            WHERE account_id = ANY(ARRAY(
                SELECT \(account)::bigint UNION ALL
                SELECT account_id FROM occupancies WHERE seat_id = \(seat) UNION ALL
                SELECT requester_id FROM yield_requests WHERE seat_id = \(seat) AND status = 'PENDING'))
            ORDER BY account_id FOR NO KEY UPDATE
            """
        ) { try $0.decode(AccountID.self, Bool.self) }
    }

    /// Erases the profile of a passenger, and marks the row as withdrawn.
    func withdraw(_ account: AccountID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            INSERT INTO passengers (account_id, nickname, image, withdrawn_at)
            VALUES (\(account), '', \(Self.firstImage), now())
            ON CONFLICT (account_id) DO UPDATE
            SET nickname = '', image = excluded.image, tags = '{}', withdrawn_at = excluded.withdrawn_at
            WHERE passengers.withdrawn_at IS NULL
            """
        )
    }

    func exists(_ account: AccountID, in database: some Querying) async throws -> Bool {
        try await database.one(
            "SELECT EXISTS (SELECT 1 FROM passengers WHERE account_id = \(account) AND withdrawn_at IS NULL)"
        ) { try $0.decode(Bool.self) }
    }

    /// Whether a passenger may open a socket: neither the account is withdrawn, nor the session revoked.
    func mayConnect(_ account: AccountID, session: String, in database: some Querying) async throws -> Bool {
        try await database.one(
            """
            SELECT NOT EXISTS (SELECT 1 FROM passengers WHERE account_id = \(account) AND withdrawn_at IS NOT NULL)
                AND NOT EXISTS (SELECT 1 FROM revoked_sessions WHERE session = \(session))
            """
        ) { try $0.decode(Bool.self) }
    }

    /// The connected passengers whose account is withdrawn, or whose session is revoked.
    func unwelcome(
        among connected: [ConnectedPassenger],
        in database: some Querying
    ) async throws -> [ConnectedPassenger] {
        try await database.all(
            """
            SELECT c.account, c.session FROM unnest(\(connected.map(\.account)), \(connected.map(\.session))) AS c(account, session)
            WHERE EXISTS (SELECT 1 FROM passengers WHERE account_id = c.account AND withdrawn_at IS NOT NULL)
                OR EXISTS (SELECT 1 FROM revoked_sessions r WHERE r.session = c.session)
            """
        ) { row in
            let (account, session) = try row.decode(as: (AccountID, String).self)
            return ConnectedPassenger(account: account, session: session)
        }
    }

    func revoke(_ session: String, in database: some Querying) async throws {
        try await database.execute(
            "INSERT INTO revoked_sessions (session) VALUES (\(session)) ON CONFLICT DO NOTHING"
        )
    }

    /// Locks the passengers of a credit transfer, in the order of their ids.
    func lock(_ accounts: [AccountID]) -> Statement<Int> {
        .execute(
            """
            SELECT account_id FROM passengers WHERE account_id = ANY(\(Set(accounts).sorted()))
            ORDER BY account_id FOR NO KEY UPDATE
            """
        )
    }
}
