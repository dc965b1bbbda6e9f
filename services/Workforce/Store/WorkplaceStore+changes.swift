import Contracts
import FoundationEssentials
import Postgres

/// Creation, changes and deletion of workplaces.
extension WorkplaceStore {
    /// A workplace, its row locked until the transaction ends, which serializes its changes.
    ///
    /// - Returns: nil for a deleted workplace.
    func lock(_ id: WorkplaceID, in transaction: PostgresTransaction) async throws -> Workplace? {
        try await transaction.optional(
            """
            SELECT \(Self.columns) FROM workplaces w WHERE w.id = \(id) AND w.deleted_at IS NULL FOR NO KEY UPDATE
            """
        ) { Workplace(try $0.decode(as: Workplace.Columns.self)) }
    }

    /// The workplaces of a user, with whether the membership is accepted; sorted by name.
    func workplaces(
        of account: AccountID,
        sharedOnly: Bool,
        in database: some Querying
    ) async throws -> [(workplace: Workplace, isAccepted: Bool)] {
        try await database.all(
            """
            SELECT \(Self.columns), k.is_accepted FROM workers k JOIN workplaces w ON w.id = k.workplace_id
            WHERE k.account_id = \(account) AND k.parted_at IS NULL AND w.deleted_at IS NULL
                AND (w.is_shared OR NOT \(sharedOnly))
            ORDER BY w.name COLLATE "C", w.id
            """
        ) { row in
            let c = try row.decode(
                as: (WorkplaceID, AccountID, String, String, String?, Double?, Double?, Bool, Bool, Bool, Bool).self
            )
            return (Workplace((c.0, c.1, c.2, c.3, c.4, c.5, c.6, c.7, c.8, c.9)), c.10)
        }
    }

    /// The number of existing workplaces of a creator.
    ///
    /// - Parameter creator: locked by the caller, so that concurrent requests cannot exceed the limit.
    func count(by creator: AccountID, in transaction: PostgresTransaction) async throws -> Int {
        try await transaction.one(
            "SELECT count(*) FROM workplaces WHERE creator_id = \(creator) AND deleted_at IS NULL"
        ) { try $0.decode(Int.self) }
    }

    /// - Returns: the new id; the given one is ignored.
    /// - Throws: `WorkforceError.workplaceNameTaken`.
    func insert(_ workplace: Workplace, in transaction: PostgresTransaction) async throws -> WorkplaceID {
        try await takingName {
            try await transaction.one(
                """
                INSERT INTO workplaces (creator_id, name, category, address, latitude, longitude, is_shared, five_or_more)
                VALUES (\(workplace.creator), \(workplace.name), \(workplace.category), \(workplace.address),
                    \(workplace.latitude), \(workplace.longitude), \(workplace.isShared),
                    \(workplace.hasFiveOrMoreEmployees))
                RETURNING id
                """
            ) { try $0.decode(WorkplaceID.self) }
        }
    }

    /// - Throws: `WorkforceError.workplaceNameTaken`.
    func update(_ workplace: Workplace, in transaction: PostgresTransaction) async throws {
        _ = try await takingName {
            try await transaction.execute(
                """
                UPDATE workplaces SET name = \(workplace.name), category = \(workplace.category),
                    address = \(workplace.address), latitude = \(workplace.latitude),
                    longitude = \(workplace.longitude), five_or_more = \(workplace.hasFiveOrMoreEmployees)
                WHERE id = \(workplace.id)
                """
            )
        }
    }

    /// Marks a workplace as deleted and deletes its code. Its name is available again.
    func delete(_ id: WorkplaceID, at now: Date, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            "UPDATE workplaces SET deleted_at = \(now), is_closing = true WHERE id = \(id)"
        )
        try await transaction.execute("DELETE FROM invite_codes WHERE workplace_id = \(id)")
    }

    /// A deleted workplace whose memberships have not all ended, with the time of its deletion; its row is locked until
    /// the transaction ends. nil if there is none that no other transaction has locked.
    func lockClosing(in transaction: PostgresTransaction) async throws -> (workplace: Workplace, deletion: Date)? {
        try await transaction.optional(
            """
            SELECT \(Self.columns), w.deleted_at FROM workplaces w WHERE w.is_closing
            ORDER BY w.id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
            """
        ) { row in
            let c = try row.decode(
                as: (WorkplaceID, AccountID, String, String, String?, Double?, Double?, Bool, Bool, Bool, Date).self
            )
            return (Workplace((c.0, c.1, c.2, c.3, c.4, c.5, c.6, c.7, c.8, c.9)), c.10)
        }
    }

    func markClosed(_ id: WorkplaceID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute("UPDATE workplaces SET is_closing = false WHERE id = \(id)")
    }

    /// Marks the shared workplaces of a withdrawn creator as abandoned, and deletes their codes.
    ///
    /// - Returns: these workplaces.
    func abandon(createdBy account: AccountID, at now: Date, in transaction: PostgresTransaction) async throws
        -> [Workplace]
    {
        let workplaces = try await transaction.all(
            """
            UPDATE workplaces w SET abandoned_at = \(now)
            WHERE w.creator_id = \(account) AND w.is_shared AND w.deleted_at IS NULL AND w.abandoned_at IS NULL
            RETURNING \(Self.columns)
            """
        ) { Workplace(try $0.decode(as: Workplace.Columns.self)) }
        try await transaction.execute(
            "DELETE FROM invite_codes WHERE workplace_id = ANY(\(workplaces.map(\.id)))"
        )
        return workplaces.sorted { $0.id < $1.id }
    }

    /// Deletes a user's personal workplaces with all dependent rows.
    func erasePersonal(of account: AccountID, in transaction: PostgresTransaction) async throws {
        let personal: SQL = "SELECT id FROM workplaces WHERE creator_id = \(account) AND NOT is_shared"
        // Waits for concurrent changes; locks the workplaces first, as all writers do.
        try await transaction.execute(
            "SELECT 1 FROM workplaces WHERE id IN (\(personal)) ORDER BY id FOR NO KEY UPDATE"
        )
        try await transaction.execute(
            "SELECT 1 FROM workers WHERE workplace_id IN (\(personal)) ORDER BY id FOR UPDATE"
        )
        try await transaction.execute("DELETE FROM workers WHERE workplace_id IN (\(personal))")
        try await transaction.execute("DELETE FROM workplaces WHERE creator_id = \(account) AND NOT is_shared")
    }

    private func takingName<Value>(_ write: () async throws -> Value) async throws -> Value {
        do {
            return try await write()
        } catch let error as PostgresError where error.violates("workplaces_creator_id_name_key") {
            throw WorkforceError.workplaceNameTaken
        }
    }
}
