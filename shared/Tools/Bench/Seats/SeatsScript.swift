/// The service's SQL statements for taking and leaving a seat, as a script for pgbench: the statements of
/// `services/Seats/Store` in the order of `Seating.occupy` and `Seating.release`. pgbench sends them one by one, except
/// for BEGIN, which shares the round trip of the next statement; Madang sends the reads with the lock, and the writes with
/// COMMIT.
enum SeatsScript {
    static func text(firstSeat: Int64, lastSeat: Int64) -> String {
        """
        \\set account 1001 + :client_id
        \\set seat random(\(firstSeat), \(lastSeat))
        \\set found_seat_id 0
        \(oneLine("\(occupancy) WHERE o.account_id = :account OR o.seat_id = :seat")) \\aset found_
        \\if :found_seat_id = 0
        \\startpipeline
        BEGIN ISOLATION LEVEL READ COMMITTED;
        SELECT id, train_code, car_code FROM cars WHERE id = (SELECT car_id FROM seats WHERE id = :seat) ORDER BY id FOR NO KEY UPDATE;
        \\endpipeline
        \(oneLine(lockThoseOfSeat));
        \(oneLine("\(occupancy) WHERE o.account_id = :account OR o.seat_id = :seat")) \\aset found_
        \\if :found_seat_id <> 0
        ROLLBACK;
        \\else
        \(taken.map { oneLine($0) + ";" }.joined(separator: "\n"))
        COMMIT;
        \\startpipeline
        BEGIN ISOLATION LEVEL READ COMMITTED;
        \(oneLine(lockOwnCar));
        \\endpipeline
        \(left.map { oneLine($0) + ";" }.joined(separator: "\n"))
        COMMIT;
        \\endif
        \\endif

        """
    }

    /// Without line breaks, so that a pgbench command may follow on the line.
    private static func oneLine(_ statement: String) -> String {
        statement.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " } }.joined(separator: " ")
    }

    private static let occupancy = """
        SELECT o.seat_id, s.car_id, o.account_id, o.journey_id, o.since, o.reward,
            o.service_date = service_date() AND (o.journey_id IS NOT NULL OR o.arrives_at > now()) AS is_live
        FROM occupancies o JOIN seats s ON s.id = o.seat_id
        """

    private static let lockPassenger = """
        SELECT account_id, withdrawn_at IS NULL FROM passengers WHERE account_id = ANY(ARRAY[:account]::bigint[])
        ORDER BY account_id FOR NO KEY UPDATE
        """

    private static let lockThoseOfSeat = """
        SELECT account_id, withdrawn_at IS NULL FROM passengers WHERE account_id = ANY(ARRAY(
            SELECT :account::bigint UNION ALL SELECT account_id FROM occupancies WHERE seat_id = :seat UNION ALL
            SELECT requester_id FROM yield_requests WHERE seat_id = :seat AND status = 'PENDING'))
        ORDER BY account_id FOR NO KEY UPDATE
        """

    private static let lockOwnCar = """
        SELECT id, train_code, car_code FROM cars
        WHERE id = (SELECT s.car_id FROM occupancies o JOIN seats s ON s.id = o.seat_id WHERE o.account_id = :account)
        ORDER BY id FOR NO KEY UPDATE
        """

    private static let publish = """
        WITH changes AS (
            SELECT json_agg(json_build_object('seat', s.id, 'occupant',
                CASE WHEN o.seat_id IS NOT NULL THEN json_build_object(
                    'account', o.account_id, 'nickname', p.nickname, 'image', p.image, 'tags', p.tags,
                    'arrivesAt', (extract(epoch FROM o.arrives_at) * 1000000)::bigint,
                    'destination', o.destination) END))::text AS body
            FROM unnest(ARRAY[:seat]::bigint[]) AS s(id)
                LEFT JOIN live_occupancies o ON o.seat_id = s.id
                LEFT JOIN passengers p ON p.account_id = o.account_id
        )
        INSERT INTO live_messages (topic, body) SELECT 'car/2234/7250', body FROM changes RETURNING id
        """

    /// From the read of the journey to the event.
    private static let taken = [
        """
        SELECT id, account_id, start_station_id, end_station_id, train_code, status, created_at,
            service_date = service_date(), next_check, expected_arrival, was_seen, blind_extensions
        FROM journeys WHERE account_id = :account AND status = 'ACTIVE'
        """,
        """
        SELECT direction, terminal, terminal_id, station_id, seconds, seen_at FROM sightings
        WHERE service_date = service_date() AND train_code = '2234' AND ('LINE_7' IS NULL OR line = 'LINE_7')
        ORDER BY seen_at DESC LIMIT 1
        """,
        """
        SELECT EXISTS (SELECT FROM sightings WHERE service_date = service_date() AND train_code = '2234'),
            count(*) FILTER (WHERE train_code = '2234') > 0, count(*)
        FROM rewards WHERE account_id = :account AND service_date = service_date() AND clawed_back_at IS NULL
        """,
        """
        INSERT INTO occupancies (seat_id, account_id, journey_id, destination, arrives_at)
        VALUES (:seat, :account, NULL, '온수', now() + interval '1 hour')
        """,
        """
        WITH claim AS (
            INSERT INTO rewards (account_id, train_code) SELECT :account, '2234' WHERE 300 > 0
            ON CONFLICT (account_id, train_code, service_date) DO UPDATE SET clawed_back_at = NULL
            WHERE rewards.clawed_back_at IS NOT NULL
            RETURNING account_id
        ), entry AS (
            INSERT INTO transfers (kind, debit, credit, amount)
            SELECT 'REWARD', 'house', 'passenger/' || :account::text, 300 FROM claim
        ), seat AS (
            UPDATE occupancies SET reward = 300 FROM claim WHERE occupancies.account_id = claim.account_id
        ), repaid AS (
            SELECT account_id, greatest(least(debt, 300), 0) AS amount FROM passengers
            WHERE account_id = :account AND EXISTS (SELECT FROM claim) FOR NO KEY UPDATE
        ), repayment AS (
            INSERT INTO transfers (kind, debit, credit, amount)
            SELECT 'CLAW_BACK', 'passenger/' || :account::text, 'house', amount FROM repaid WHERE amount > 0
        )
        UPDATE passengers SET credit = credit + 300 - repaid.amount, debt = debt - repaid.amount
        FROM repaid WHERE passengers.account_id = repaid.account_id
        """,
        publish,
    ]

    /// From the lock on the car to the event.
    private static let left = [
        "\(occupancy) WHERE o.account_id = :account",
        """
        SELECT r.id, r.seat_id, s.car_id, r.amount, r.status, r.expires_at <= clock_timestamp(),
            (SELECT destination FROM occupancies t WHERE t.seat_id = r.seat_id AND t.account_id = r.owner_id),
            r.owner_id, o.nickname, o.image, o.tags, r.requester_id, q.nickname, q.image, q.tags
        FROM yield_requests r JOIN seats s ON s.id = r.seat_id
            JOIN passengers o ON o.account_id = r.owner_id JOIN passengers q ON q.account_id = r.requester_id
        WHERE r.seat_id = (SELECT seat_id FROM occupancies WHERE account_id = :account)
            AND r.status = 'PENDING' ORDER BY r.id
        """,
        lockPassenger,
        "DELETE FROM occupancies WHERE seat_id = :seat AND account_id = :account",
        """
        WITH claim AS (
            UPDATE rewards SET clawed_back_at = now()
            WHERE account_id = :account AND train_code = '2234' AND clawed_back_at IS NULL AND 300 > 0
                AND service_date = (
                    SELECT max(service_date) FROM rewards WHERE account_id = :account AND train_code = '2234')
            RETURNING account_id
        ), taken AS (
            SELECT p.account_id, least(p.credit, 300) AS amount FROM passengers p
            WHERE p.account_id IN (SELECT account_id FROM claim)
        ), entry AS (
            INSERT INTO transfers (kind, debit, credit, amount)
            SELECT 'CLAW_BACK', 'passenger/' || :account::text, 'house', amount FROM taken WHERE amount > 0
        )
        UPDATE passengers SET credit = credit - taken.amount, debt = debt + 300 - taken.amount FROM taken
        WHERE passengers.account_id = taken.account_id
        """,
        publish,
    ]
}
