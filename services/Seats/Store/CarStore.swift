import Contracts
import Postgres
import ServiceDatabase
import Values

/// SQL of cars and their seats.
struct CarStore: Sendable {
    /// Creates a car with its seats; idempotent for concurrent calls.
    func create(_ car: CarAddress, in transaction: PostgresTransaction) async throws {
        let id = try await transaction.optional(
            """
            INSERT INTO cars (train_code, car_code) VALUES (\(car.train.text), \(car.code))
            ON CONFLICT DO NOTHING RETURNING id
            """
        ) { try $0.decode(CarID.self) }
        guard let id else { return }
        let seats = CarLayout(carCode: car.code).seats(of: car)
        try await transaction.execute(
            """
            INSERT INTO seats (id, car_id, section, location, type) OVERRIDING SYSTEM VALUE
            SELECT seat, \(id), section, location, type FROM unnest(
                \(seats.map(\.id)), \(seats.map(\.section)), \(seats.map(\.location)), \(seats.map(\.type))
            ) AS new(seat, section, location, type)
            """
        )
    }

    /// The seats of a car with their occupants of the current service day. A car without rows has free seats.
    func seatMap(of car: CarAddress, in database: some Querying) async throws -> SeatMap {
        let rows = try await database.all(
            """
            SELECT s.id, s.section, s.location, s.type, o.account_id, p.nickname, p.image, p.tags,
                (extract(epoch FROM o.arrives_at) * 1000000)::bigint, o.destination,
                (SELECT max(id) FROM live_messages WHERE topic = \(LiveTopic.car(car).name)), service_date()
            FROM cars c JOIN seats s ON s.car_id = c.id
                LEFT JOIN occupancies o ON o.seat_id = s.id AND o.service_date = service_date()
                LEFT JOIN passengers p ON p.account_id = o.account_id
            WHERE c.train_code = \(car.train.text) AND c.car_code = \(car.code)
            ORDER BY s.id
            """
        ) { row in
            let (id, section, location, type, account, nickname, image, tags, arrivesAt, destination, through, day) =
                try row.decode(
                    as: (
                        SeatID, String, Int, String, AccountID?, String?, String?, [String]?, Int64?, String?,
                        LiveMessageID?, CivilDate
                    ).self
                )
            let occupant = account.map {
                Occupant(
                    account: $0,
                    nickname: nickname ?? "",
                    image: image ?? "",
                    tags: tags ?? [],
                    arrivesAt: arrivesAt ?? 0,
                    destination: destination ?? ""
                )
            }
            return (
                Seat(id: id, section: section, location: location, type: type, occupant: occupant), through ?? .zero,
                day
            )
        }
        guard let (_, through, day) = rows.first else { return SeatMap(empty: car) }
        return SeatMap(car: car, seats: rows.map(\.0), through: through, day: day)
    }

    /// The version of a car's seat map, nil without a message on the car's topic; and whether the passenger watches it.
    func version(
        of car: CarAddress,
        watchedBy account: AccountID,
        in database: some Querying
    ) async throws -> (version: SeatMap.Version?, isWatched: Bool) {
        let (through, day, isWatched) = try await database.one(
            """
            SELECT (SELECT max(id) FROM live_messages WHERE topic = \(LiveTopic.car(car).name)), service_date(),
                EXISTS (SELECT FROM watched_cars WHERE account_id = \(account)
                    AND train_code = \(car.train.text) AND car_code = \(car.code))
            """
        ) { try $0.decode(LiveMessageID?.self, CivilDate.self, Bool.self) }
        return (through.map { SeatMap.Version(through: $0, day: day) }, isWatched)
    }

    /// Deletes cars with their decided yield requests: those without occupants, made 30 days ago or earlier, of trains
    /// without a sighting in that time.
    ///
    /// - Returns: their number, at most `limit`.
    func pruneUnused(limit: Int, in transaction: PostgresTransaction) async throws -> Int {
        let found = try await transaction.all(
            """
            SELECT id FROM cars c WHERE made_at < now() - interval '30 days'
                AND NOT EXISTS (SELECT FROM trains t WHERE t.code = c.train_code AND \(TrainStore.isKnown))
                AND \(Self.isEmpty)
            ORDER BY id LIMIT \(limit) FOR UPDATE SKIP LOCKED
            """
        ) { try $0.decode(CarID.self) }
        guard !found.isEmpty else { return 0 }
        // A passenger may have sat down before the lock.
        let cars = try await transaction.all(
            "SELECT id FROM cars c WHERE id = ANY(\(found)) AND \(Self.isEmpty)"
        ) { try $0.decode(CarID.self) }
        try await transaction.execute(
            "DELETE FROM yield_requests WHERE seat_id IN (SELECT id FROM seats WHERE car_id = ANY(\(cars)))"
        )
        try await transaction.execute("DELETE FROM seats WHERE car_id = ANY(\(cars))")
        return try await transaction.execute("DELETE FROM cars WHERE id = ANY(\(cars))")
    }

    /// The condition that the car `c` has no occupants.
    private static let isEmpty: SQL = """
        NOT EXISTS (SELECT FROM seats s JOIN occupancies o ON o.seat_id = s.id WHERE s.car_id = c.id)
        """

    // MARK: Locks

    /// Locks cars in the order of their ids, which serializes their changes.
    ///
    /// - Returns: the existing cars.
    func lock(_ ids: Set<CarID>) -> Statement<[(id: CarID, address: CarAddress)]> {
        lock("id = ANY(\(ids.sorted()))")
    }

    /// Locks the car of a seat.
    ///
    /// - Returns: the car; empty for an unknown seat.
    func lock(ofSeat seat: SeatID) -> Statement<[(id: CarID, address: CarAddress)]> {
        lock("id = (SELECT car_id FROM seats WHERE id = \(seat))")
    }

    /// Locks the car with a passenger's seat at the start of the statement.
    ///
    /// - Returns: the car; empty for a passenger without a seat.
    func lock(of account: AccountID) -> Statement<[(id: CarID, address: CarAddress)]> {
        lock(
            """
            id = (SELECT s.car_id FROM occupancies o JOIN seats s ON s.id = o.seat_id WHERE o.account_id = \(account))
            """
        )
    }

    private func lock(_ condition: SQL) -> Statement<[(id: CarID, address: CarAddress)]> {
        .all("SELECT id, train_code, car_code FROM cars WHERE \(condition) ORDER BY id FOR NO KEY UPDATE") { row in
            let (id, train, code) = try row.decode(as: (CarID, String, String).self)
            return (id: id, address: CarAddress(storedTrain: train, code: code))
        }
    }

    /// The id of a seat's car.
    func car(ofSeat seat: SeatID, in database: some Querying) async throws -> CarID? {
        try await database.optional("SELECT car_id FROM seats WHERE id = \(seat)") { try $0.decode(CarID.self) }
    }

    /// The train and code of a stored seat's car.
    func address(ofSeat seat: SeatID, in database: some Querying) async throws -> CarAddress? {
        try await database.optional(
            "SELECT train_code, car_code FROM cars WHERE id = (SELECT car_id FROM seats WHERE id = \(seat))"
        ) { row in
            let (train, code) = try row.decode(String.self, String.self)
            return CarAddress(storedTrain: train, code: code)
        }
    }

    // MARK: Watched cars

    /// Stores a passenger's watched car. It locks the row even if nothing changes, which is written to disk.
    ///
    /// - Returns: whether it has changed.
    func watch(_ car: CarAddress, account: AccountID, in database: some Querying) async throws -> Bool {
        let changed = try await database.execute(
            """
            INSERT INTO watched_cars (account_id, train_code, car_code)
            VALUES (\(account), \(car.train.text), \(car.code))
            ON CONFLICT (account_id) DO UPDATE SET train_code = excluded.train_code, car_code = excluded.car_code
            WHERE (watched_cars.train_code, watched_cars.car_code) <> (excluded.train_code, excluded.car_code)
            """
        )
        return changed > 0
    }

    func watchedCar(
        of account: AccountID,
        in train: TrainCode,
        _ database: some Querying
    ) async throws -> CarAddress? {
        try await database.optional(
            """
            SELECT car_code FROM watched_cars WHERE account_id = \(account) AND train_code = \(train.text)
            UNION ALL
            SELECT c.car_code FROM live_occupancies o JOIN seats s ON s.id = o.seat_id JOIN cars c ON c.id = s.car_id
            WHERE o.account_id = \(account) AND c.train_code = \(train.text)
            LIMIT 1
            """
        ) { CarAddress(storedTrain: train.text, code: try $0.decode(String.self)) }
    }

    /// The watched cars of passengers.
    func watchedCars(of accounts: [AccountID], in database: some Querying) async throws -> [(AccountID, CarAddress)] {
        try await database.all(
            "SELECT account_id, train_code, car_code FROM watched_cars WHERE account_id = ANY(\(accounts))"
        ) { row in
            let (account, train, code) = try row.decode(as: (AccountID, String, String).self)
            return (account, CarAddress(storedTrain: train, code: code))
        }
    }
}
