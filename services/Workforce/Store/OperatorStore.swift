import Contracts
import Postgres

/// SQL by which operators find workers.
struct OperatorStore: Sendable {
    /// The memberships of an account, current ones first, also at deleted workplaces.
    func memberships(of account: AccountID, limit: Int, in database: some Querying) async throws
        -> [OperatorsAPI.Membership]
    {
        try await database.all(
            """
            SELECT k.id, w.id, w.name, w.creator_id = k.account_id, k.is_accepted, extract(epoch FROM k.joined_at)::float8,
                extract(epoch FROM coalesce(k.parted_at, w.deleted_at))::float8
            FROM workers k JOIN workplaces w ON w.id = k.workplace_id WHERE k.account_id = \(account)
            ORDER BY k.parted_at IS NOT NULL OR w.deleted_at IS NOT NULL, k.id DESC LIMIT \(limit)
            """
        ) { row in
            let (worker, workplace, name, isOwner, isAccepted, joinedAt, leftAt) = try row.decode(
                as: (WorkerID, WorkplaceID, String, Bool, Bool, Double, Double?).self
            )
            return OperatorsAPI.Membership(
                worker: worker,
                workplace: workplace,
                workplaceName: name,
                isOwner: isOwner,
                isAccepted: isAccepted,
                joinedAt: joinedAt,
                leftAt: leftAt
            )
        }
    }
}
