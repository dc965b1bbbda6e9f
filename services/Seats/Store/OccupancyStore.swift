import Contracts
import FoundationEssentials
import Postgres

/// SQL of occupancies.
struct OccupancyStore: Sendable {
    func occupancy(of account: AccountID, in database: some Querying) async throws -> Occupancy? {
        try await database.run(occupancy(of: account))
    }

    func occupancy(on seat: SeatID, in database: some Querying) async throws -> Occupancy? {
        try await database.run(occupancy(on: seat))
    }

    func occupancy(of account: AccountID) -> Statement<Occupancy?> {
        .optional("\(Self.select) WHERE o.account_id = \(account)", Self.decode)
    }

    func occupancy(on seat: SeatID) -> Statement<Occupancy?> {
        .optional("\(Self.select) WHERE o.seat_id = \(seat)", Self.decode)
    }

    /// The occupancies of a passenger and of a seat: up to two.
    func occupancies(of account: AccountID, andOn seat: SeatID) -> Statement<[Occupancy]> {
        .all("\(Self.select) WHERE o.account_id = \(account) OR o.seat_id = \(seat)", Self.decode)
    }

    /// Occupancies with an expired lease, oldest first.
    func overdue(limit: Int, except others: [SeatID], in database: some Querying) async throws -> [Occupancy] {
        try await database.all(
            """
            \(Self.select)
            WHERE ((o.journey_id IS NULL AND o.arrives_at <= now()) OR o.service_date < service_date())
                AND o.seat_id <> ALL(\(others))
            ORDER BY o.arrives_at LIMIT \(limit)
            """,
            Self.decode
        )
    }

    /// Inserts an occupancy of a locked passenger without one, on a free seat of a locked car.
    func insert(account: AccountID, seat: SeatID, lease: Lease) -> Statement<Int> {
        .execute(
            """
            INSERT INTO occupancies (seat_id, account_id, journey_id, destination, arrives_at)
            VALUES (\(seat), \(account), \(lease.journey), \(lease.destination), \(lease.arrivesAt))
            """
        )
    }

    func remove(seat: SeatID, account: AccountID) -> Statement<Int> {
        .execute("DELETE FROM occupancies WHERE seat_id = \(seat) AND account_id = \(account)")
    }

    /// Hands a seat over to another passenger, without a reward.
    func handOver(
        seat: SeatID,
        from owner: SeatOwner,
        to requester: SeatRequester,
        lease: Lease,
        in database: some Querying
    ) async throws -> Bool {
        try await database.execute(
            """
            UPDATE occupancies SET account_id = \(requester.account), journey_id = \(lease.journey), since = now(),
                reward = 0, destination = \(lease.destination), arrives_at = \(lease.arrivesAt)
            WHERE seat_id = \(seat) AND account_id = \(owner.account)
            """
        ) == 1
    }

    func renew(seat: SeatID, lease: Lease, in database: some Querying) async throws {
        try await database.execute(
            """
            UPDATE occupancies SET journey_id = \(lease.journey), destination = \(lease.destination),
                arrives_at = \(lease.arrivesAt)
            WHERE seat_id = \(seat)
            """
        )
    }

    private static let select: SQL = """
        SELECT o.seat_id, s.car_id, o.account_id, o.journey_id, o.since, o.reward,
            o.service_date = service_date() AND (o.journey_id IS NOT NULL OR o.arrives_at > now())
        FROM occupancies o JOIN seats s ON s.id = o.seat_id
        """

    private static func decode(_ row: borrowing Row) throws -> Occupancy {
        let (seat, car, account, journey, since, reward, isLive) = try row.decode(
            as: (SeatID, CarID, AccountID, JourneyID?, Date, Int64, Bool).self
        )
        return Occupancy(
            seat: seat,
            car: car,
            account: account,
            journey: journey,
            since: since,
            reward: reward,
            isLive: isLive
        )
    }
}
