import Contracts
import FoundationEssentials
import Postgres
import Subway

/// SQL of paths and journeys.
struct JourneyStore: Sendable {
    func insert(
        account: AccountID,
        start: StationID,
        end: StationID,
        train: TrainCode?,
        expectedArrival: Date,
        nextCheck: Date,
        in database: some Querying
    ) async throws -> Journey {
        let status: Journey.Status = train == nil ? .planned : .active
        return try await database.one(
            """
            INSERT INTO journeys (account_id, start_station_id, end_station_id, train_code, status, expected_arrival,
                next_check)
            VALUES (\(account), \(start), \(end), \(train?.text), \(status.rawValue), \(expectedArrival), \(nextCheck))
            RETURNING \(Self.columns)
            """,
            Self.decode
        )
    }

    func journey(id: JourneyID, in database: some Querying) async throws -> Journey? {
        try await database.optional("SELECT \(Self.columns) FROM journeys WHERE id = \(id)", Self.decode)
    }

    func active(of account: AccountID, in database: some Querying) async throws -> Journey? {
        try await database.run(active(of: account))
    }

    func active(of account: AccountID) -> Statement<Journey?> {
        .optional(
            "SELECT \(Self.columns) FROM journeys WHERE account_id = \(account) AND status = 'ACTIVE'",
            Self.decode
        )
    }

    /// A passenger's paths, newest first.
    func page(of account: AccountID, before cursor: JourneyID?, limit: Int, in database: some Querying) async throws
        -> [Journey]
    {
        try await database.all(
            """
            SELECT \(Self.columns) FROM journeys WHERE account_id = \(account) AND id < \(cursor?.rawValue ?? .max)
            ORDER BY id DESC LIMIT \(limit)
            """,
            Self.decode
        )
    }

    /// Ends a journey.
    ///
    /// - Returns: the ended journey; nil when it had already ended.
    func end(_ id: JourneyID, _ status: Journey.Status, in database: some Querying) async throws -> Journey? {
        try await database.optional(
            """
            UPDATE journeys SET status = \(status.rawValue), ended_at = now()
            WHERE id = \(id) AND status = 'ACTIVE' RETURNING \(Self.columns)
            """,
            Self.decode
        )
    }

    /// Stores the result of a check.
    ///
    /// - Returns: the updated journey; nil when it has ended.
    func update(
        _ id: JourneyID,
        _ tracking: Tracking,
        nextCheck: Date,
        in database: some Querying
    ) async throws -> Journey? {
        try await database.optional(
            """
            UPDATE journeys SET expected_arrival = \(tracking.expectedArrival), was_seen = \(tracking.wasSeen),
                blind_extensions = \(tracking.blindExtensions), next_check = \(nextCheck)
            WHERE id = \(id) AND status = 'ACTIVE' RETURNING \(Self.columns)
            """,
            Self.decode
        )
    }

    /// Takes the journeys whose check is due, and postpones their next check, so that no other replica takes them
    /// meanwhile.
    func takeDue(limit: Int, forSeconds seconds: Double, in database: some Querying) async throws -> [Journey] {
        try await database.all(
            """
            UPDATE journeys SET next_check = now() + make_interval(secs => \(seconds))
            WHERE id IN (
                SELECT id FROM journeys WHERE status = 'ACTIVE' AND next_check <= now() AND service_date = service_date()
                ORDER BY next_check LIMIT \(limit) FOR UPDATE SKIP LOCKED
            )
            RETURNING \(Self.columns)
            """,
            Self.decode
        )
    }

    /// Active journeys of earlier service days.
    func outlived(limit: Int, except others: [JourneyID], in database: some Querying) async throws -> [Journey] {
        try await database.all(
            """
            SELECT \(Self.columns) FROM journeys
            WHERE status = 'ACTIVE' AND service_date < service_date() AND id <> ALL(\(others))
            ORDER BY id LIMIT \(limit)
            """,
            Self.decode
        )
    }

    func delete(_ id: JourneyID, in database: some Querying) async throws {
        try await database.execute("DELETE FROM journeys WHERE id = \(id)")
    }

    func deleteAll(of account: AccountID, in database: some Querying) async throws {
        try await database.execute("DELETE FROM journeys WHERE account_id = \(account)")
    }

    private static let columns: SQL = """
        id, account_id, start_station_id, end_station_id, train_code, status, created_at, next_check, expected_arrival,
        was_seen, blind_extensions, service_date = service_date()
        """

    private static func decode(_ row: borrowing Row) throws -> Journey {
        let (id, account, start, end, train, status, createdAt, nextCheck, expected, wasSeen, extensions, isToday) =
            try row.decode(
                as: (
                    JourneyID, AccountID, StationID, StationID, String?, Journey.Status, Date, Date, Date, Bool, Int,
                    Bool
                ).self
            )
        return Journey(
            id: id,
            account: account,
            start: start,
            end: end,
            train: train.map(TrainCode.init(stored:)),
            status: status,
            createdAt: createdAt,
            isToday: isToday,
            nextCheck: nextCheck,
            tracking: Tracking(expectedArrival: expected, wasSeen: wasSeen, blindExtensions: extensions)
        )
    }
}

extension Journey.Status: PostgresDecodable {}
