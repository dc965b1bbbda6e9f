import Contracts
import FoundationEssentials
import Postgres

/// SQL of yield requests.
struct YieldRequestStore: Sendable {
    /// The pending requests for a seat, oldest first.
    func pending(onSeat seat: SeatID, in database: some Querying) async throws -> [YieldRequest] {
        try await database.all(
            "\(Self.select) WHERE r.seat_id = \(seat) AND r.status = 'PENDING' ORDER BY r.id",
            Self.decode
        )
    }

    /// The pending requests for a passenger's seat.
    func pending(onSeatOf account: AccountID) -> Statement<[YieldRequest]> {
        .all(
            """
            \(Self.select) WHERE r.seat_id = (SELECT seat_id FROM occupancies WHERE account_id = \(account))
                AND r.status = 'PENDING' ORDER BY r.id
            """,
            Self.decode
        )
    }

    func pending(by requester: AccountID, in database: some Querying) async throws -> [YieldRequest] {
        try await database.all(
            "\(Self.select) WHERE r.requester_id = \(requester) AND r.status = 'PENDING' ORDER BY r.id",
            Self.decode
        )
    }

    /// The latest request of a requester for a seat.
    func latest(onSeat seat: SeatID, by requester: AccountID, in database: some Querying) async throws -> YieldRequest?
    {
        try await database.optional(
            """
            \(Self.select) WHERE r.seat_id = \(seat) AND r.requester_id = \(requester) ORDER BY r.id DESC LIMIT 1
            """,
            Self.decode
        )
    }

    /// Pending requests that have expired, oldest first.
    func overdue(limit: Int, except others: [YieldRequestID], in database: some Querying) async throws -> [YieldRequest]
    {
        try await database.all(
            """
            \(Self.select) WHERE r.status = 'PENDING' AND r.expires_at <= now() AND r.id <> ALL(\(others))
            ORDER BY r.expires_at LIMIT \(limit)
            """,
            Self.decode
        )
    }

    func insert(
        seat: SeatID,
        owner: SeatOwner,
        requester: SeatRequester,
        amount: Int64,
        lifetime: Double,
        in database: some Querying
    ) async throws -> YieldRequestID {
        try await database.one(
            """
            INSERT INTO yield_requests (seat_id, owner_id, requester_id, amount, expires_at)
            VALUES (\(seat), \(owner.account), \(requester.account), \(amount), now() + make_interval(secs => \(lifetime)))
            RETURNING id
            """
        ) { try $0.decode(YieldRequestID.self) }
    }

    func change(_ id: YieldRequestID, amount: Int64, lifetime: Double, in database: some Querying) async throws {
        try await database.execute(
            """
            UPDATE yield_requests SET amount = \(amount), expires_at = now() + make_interval(secs => \(lifetime))
            WHERE id = \(id)
            """
        )
    }

    /// Ends a pending request.
    ///
    /// - Returns: false when it is not pending.
    func decide(_ id: YieldRequestID, _ status: YieldRequest.Status, in database: some Querying) async throws -> Bool {
        try await database.execute(
            """
            UPDATE yield_requests SET status = \(status.rawValue), decided_at = now()
            WHERE id = \(id) AND status = 'PENDING'
            """
        ) == 1
    }

    private static let select: SQL = """
        SELECT r.id, r.seat_id, s.car_id, r.amount, r.status, r.expires_at <= clock_timestamp(),
            (SELECT destination FROM occupancies t WHERE t.seat_id = r.seat_id AND t.account_id = r.owner_id),
            r.owner_id, o.nickname, o.image, o.tags, r.requester_id, q.nickname, q.image, q.tags
        FROM yield_requests r JOIN seats s ON s.id = r.seat_id
            JOIN passengers o ON o.account_id = r.owner_id JOIN passengers q ON q.account_id = r.requester_id
        """

    private static func decode(_ row: borrowing Row) throws -> YieldRequest {
        let (
            id, seat, car, amount, status, isOverdue, destination, owner, oName, oImage, oTags, requester, rName,
            rImage, rTags
        ) =
            try row.decode(
                as: (
                    YieldRequestID, SeatID, CarID, Int64, YieldRequest.Status, Bool, String?, AccountID, String, String,
                    [String],
                    AccountID, String, String, [String]
                ).self
            )
        return YieldRequest(
            id: id,
            seat: seat,
            car: car,
            owner: ProfileSummary(account: owner, nickname: oName, image: oImage, tags: oTags),
            requester: ProfileSummary(account: requester, nickname: rName, image: rImage, tags: rTags),
            amount: amount,
            status: status,
            isOverdue: isOverdue,
            ownersDestination: destination
        )
    }
}

extension YieldRequest.Status: PostgresDecodable {}
