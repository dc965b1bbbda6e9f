import AppClients
import Contracts
import Postgres
import TestKit
import Testing

@testable import Seats

extension Platform {
    /// Puts a train on line 2 in the sandbox, going the inner way.
    ///
    /// - Parameter seconds: until it arrives at the station.
    func place(_ train: String, at station: String, in seconds: Int64) async throws {
        let body: RequestBody = [
            "btrainNo": "\(train)", "line": "2", "station": "\(station)", "direction": 0, "seconds": .integer(seconds),
            "destination": "신도림",
        ]
        try await sandboxClient.post("trains", body).expect(204)
    }

    /// Records that trains of line 2 run today, without asking the sandbox.
    func sight(_ trains: [String]) async throws {
        let database = seatsDatabase.client
        try await database.execute(
            """
            INSERT INTO sightings (train_code, line, direction, terminal, station_id, seconds, seen_at)
            SELECT code, 'LINE_2', 0, '신도림', 32, 60, now() - interval '1 minute' FROM unnest(\(trains)) AS code ON CONFLICT DO NOTHING
            """
        )
        try await TrainStore().sight(trains, in: database)
    }

    /// Gives credit as a reward, through the ledger.
    func credit(_ client: SeatCatcherClient, _ amount: Int64) async throws {
        let account = client.account
        try await seatsDatabase.client.transaction { transaction in
            try await PassengerStore().admit(account, in: transaction)
            try await LedgerStore().move(.reward, amount, passenger: account, in: transaction)
        }
    }

    /// Makes the tracker look for the trains of all journeys now, instead of at its next time.
    func lookForTrains() async throws {
        try await seatsDatabase.client.execute("UPDATE journeys SET next_check = now() WHERE status = 'ACTIVE'")
    }

    /// Cuts every connection of seats that executes LISTEN. Announcements are sent on them, too.
    ///
    /// - Returns: how many there were.
    @discardableResult
    func cutListeners() async throws -> Int {
        try await seatsDatabase.client.execute(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE application_name = current_schema() AND (query LIKE 'LISTEN%' OR query LIKE '%pg_notify%')
                AND pid <> pg_backend_pid()
            """
        )
    }

    /// Runs `body` while the occupants of seats cannot be read. All other reads that a subscription needs still work.
    func whileSeatsCannotBeRead(_ body: @escaping @Sendable () async throws -> Void) async throws {
        try await seatsDatabase.client.transaction { transaction in
            try await transaction.execute("LOCK TABLE passengers IN ACCESS EXCLUSIVE MODE")
            try await body()
        }
    }

    /// Waits until a read of a car's occupants is blocked; the service reads passengers for other reasons, too.
    func waitForReader() async throws {
        try await eventually {
            try await seatsDatabase.client.one(
                """
                SELECT count(*) FROM pg_locks l JOIN pg_stat_activity a USING (pid)
                WHERE NOT l.granted AND l.relation = 'passengers'::regclass
                    AND a.query LIKE '%FROM cars c JOIN seats s%'
                """
            ) { try $0.decode(Int.self) } > 0
        }
    }

    /// The number of an account's journeys.
    func journeys(of account: AccountID) async throws -> Int {
        try await seatsDatabase.client.one("SELECT count(*) FROM journeys WHERE account_id = \(account)") {
            try $0.decode(Int.self)
        }
    }

    /// The number of a topic's messages that no socket has received.
    func undelivered(topic: String) async throws -> Int {
        try await seatsDatabase.client.one(
            "SELECT count(*) FROM live_messages WHERE topic = \(topic) AND delivered_at IS NULL"
        ) { try $0.decode(Int.self) }
    }

    /// Requires that every balance follows from the ledger, and that escrow equals the offers of open requests.
    func checkLedger() async throws {
        let wrong = try await seatsDatabase.client.all(
            """
            SELECT 'passenger/' || p.account_id FROM passengers p
                LEFT JOIN ledger_entries e ON e.holder = 'passenger/' || p.account_id
            GROUP BY p.account_id, p.credit HAVING p.credit <> coalesce(sum(e.amount), 0)
            UNION ALL
            SELECT 'escrow/' || r.id FROM yield_requests r LEFT JOIN ledger_entries e ON e.holder = 'escrow/' || r.id
            GROUP BY r.id HAVING coalesce(sum(e.amount), 0) <> CASE WHEN r.status = 'PENDING' THEN r.amount ELSE 0 END
            """
        ) { try $0.decode(String.self) }
        #expect(wrong.isEmpty)
    }
}
