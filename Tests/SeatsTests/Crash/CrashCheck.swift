import Contracts
import FoundationEssentials
import NIOHTTP1
import Postgres
import TestKit
import Testing

@testable import Seats

/// The final checks, after the crashes.
struct CrashCheck {
    let service: CrashService
    let record: CrashRecord<PassengerObservations>
    let database: PostgresClient

    private static let path = "/trains?carCode=\(CrashPlayer.car)&trainCode=\(CrashPlayer.train)"

    /// Waits until every socket shows the answer of both copies; a socket that never does is a defect.
    static func untilAllSocketsAgree(
        _ service: CrashService,
        _ record: CrashRecord<PassengerObservations>,
        sockets: Int
    ) async throws {
        var blind: [Int] = []
        var expected = ""
        for _ in 0..<200 {
            let answers = [await service.send(.GET, path, 999, to: 0), await service.send(.GET, path, 999, to: 1)]
            expected = answers[0]?.text ?? ""
            let shown = record.shown
            blind = (0..<sockets).filter { shown[$0] != expected }
            if blind.isEmpty, answers.allSatisfy({ $0?.status == 200 && $0?.text == expected }) { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        let example = blind.first.flatMap { record.shown[$0] } ?? "nothing"
        record.defect("sockets \(blind) show:\n\(example)\nbut the service answers:\n\(expected)")
    }

    func check() async throws {
        for defect in record.defects.prefix(10) { Issue.record("\(defect)") }
        #expect(record.defects.isEmpty)
        try await LedgerAudit.check(database)
        try await checkRequests()
        try await checkSeats()
        try await checkJourneys()
    }

    private func checkRequests() async throws {
        let strays = try await database.all(
            """
            SELECT r.id FROM yield_requests r LEFT JOIN occupancies o ON o.seat_id = r.seat_id
            WHERE r.status = 'PENDING' AND o.account_id IS DISTINCT FROM r.owner_id
            """
        ) { try $0.decode(Int64.self) }
        #expect(strays.isEmpty, "open requests without a current owner: \(strays)")
        let twice = try await database.all(
            """
            SELECT holder FROM ledger_entries WHERE holder LIKE 'escrow/%' AND amount < 0
            GROUP BY holder HAVING sum(-amount) > (SELECT sum(credit.amount) FROM ledger_entries credit
                WHERE credit.holder = ledger_entries.holder AND credit.amount > 0)
            """
        ) { try $0.decode(String.self) }
        #expect(twice.isEmpty, "escrows that paid more than they held: \(twice)")
    }

    /// A seat has one occupant, a passenger has one seat, and the answer agrees with the database.
    private func checkSeats() async throws {
        let kept = try await database.all("SELECT seat_id, account_id FROM occupancies ORDER BY seat_id") {
            try $0.decode(SeatID.self, AccountID.self)
        }
        #expect(!kept.isEmpty)
        #expect(Set(kept.map(\.0)).count == kept.count)
        #expect(Set(kept.map(\.1)).count == kept.count)
        let answer = try #require(await service.send(.GET, Self.path, 999, to: 0))
        let seats = try JSONDecoder().decode([SeatGroupBody].self, from: Data(answer.text.utf8)).flatMap(\.seatStatus)
        let shown = seats.compactMap { seat in seat.occupant.map { (seat.seatId, $0.userId) } }
        #expect(shown.sorted { $0.0 < $1.0 }.elementsEqual(kept, by: ==))
    }

    /// Journeys that were confirmed before a crash exist after it.
    private func checkJourneys() async throws {
        let confirmed = record.journeys
        #expect(!confirmed.isEmpty)
        let found = try await database.one("SELECT count(*) FROM journeys WHERE id = ANY(\(confirmed))") {
            try $0.decode(Int.self)
        }
        #expect(found == Set(confirmed).count)
        let active = try await database.one(
            "SELECT coalesce(max(n), 0) FROM (SELECT count(*) AS n FROM journeys WHERE status = 'ACTIVE' GROUP BY account_id) a"
        ) { try $0.decode(Int.self) }
        #expect(active <= 1)
    }
}
