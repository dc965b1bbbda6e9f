import Contracts
import FoundationEssentials
import Postgres

/// SQL of what operators see of cars.
struct OperatorLookupStore: Sendable {
    /// A car by the number of its passengers with a seat.
    struct Taken: Sendable {
        var car: CarAddress
        var seated: Int
        var requests: Int
    }

    /// The cars with the most passengers.
    func taken(limit: Int, in database: some Querying) async throws -> [Taken] {
        try await database.all(
            """
            SELECT c.train_code, c.car_code, t.seated, (
                SELECT count(*) FROM seats s JOIN yield_requests r ON r.seat_id = s.id AND r.status = 'PENDING'
                WHERE s.car_id = c.id)
            FROM (
                SELECT s.car_id, count(*) AS seated FROM live_occupancies o JOIN seats s ON s.id = o.seat_id
                GROUP BY s.car_id ORDER BY seated DESC, s.car_id LIMIT \(limit)
            ) t JOIN cars c ON c.id = t.car_id
            ORDER BY t.seated DESC, c.id
            """
        ) { row in
            let (train, code, seated, requests) = try row.decode(as: (String, String, Int, Int).self)
            return Taken(car: CarAddress(storedTrain: train, code: code), seated: seated, requests: requests)
        }
    }

    /// The seats of a stored car; none for a car that has had no passengers.
    func seats(of car: CarAddress, in database: some Querying) async throws -> [OperatorsAPI.Seat] {
        try await database.all(
            """
            SELECT s.id, s.section, s.location, s.type, o.account_id, p.nickname, o.destination, o.since, o.arrives_at,
                o.journey_id IS NULL AND o.arrives_at <= now(),
                ARRAY(SELECT r.requester_id FROM yield_requests r WHERE r.seat_id = s.id AND r.status = 'PENDING'
                    ORDER BY r.requester_id LIMIT \(OperatorsAPI.Sitter.requesterLimit)::int)
            FROM cars c JOIN seats s ON s.car_id = c.id
                LEFT JOIN occupancies o ON o.seat_id = s.id AND o.service_date = service_date()
                LEFT JOIN passengers p ON p.account_id = o.account_id
            WHERE c.train_code = \(car.train.text) AND c.car_code = \(car.code)
            ORDER BY s.id
            """
        ) { row in
            let (id, section, location, type, account, nickname, destination, since, arrivesAt, isOverdue, requesters) =
                try row.decode(
                    as: (
                        SeatID, String, Int, String, AccountID?, String?, String?, Date?, Date?, Bool?, [AccountID]
                    ).self
                )
            let sitter = account.map { account in
                OperatorsAPI.Sitter(
                    account: account,
                    nickname: nickname ?? "",
                    destination: destination ?? "",
                    since: since?.timeIntervalSince1970 ?? 0,
                    arrivesAt: arrivesAt?.timeIntervalSince1970 ?? 0,
                    isOverdue: isOverdue ?? false,
                    requesters: requesters
                )
            }
            return OperatorsAPI.Seat(
                id: id,
                section: section,
                location: location,
                type: type,
                sitter: sitter
            )
        }
    }
}
