import Contracts
import FoundationEssentials
import Postgres
import TestKit
import Testing
import Values

@testable import Workforce

@Suite(.database(Migrations.all), .service) struct PayRaceTests {
    private static let now = Date.seoul("2025-11-20")
    private var database: PostgresClient { TestDatabase.current.client }

    /// Shifts are recorded concurrently while a sweep applies another rate book: the stored pay equals a recalculation
    /// of all shifts with that book.
    @Test func concurrentShiftsAndSweeps_leaveConsistentPay() async throws {
        let pay = PayWorld(now: Self.now)
        let later = PayWorld(book: try .corrected(), now: Self.now)
        let worker = try await pay.worker(1, at: try await pay.workplace(of: 9), .full)
        let stale = PayrollRecalculation(database: database, pay: later.pay, logger: .quiet)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<24 {
                group.addTask {
                    let date = CivilDate.of("2025-11-03") + number * 3
                    try await pay.work(worker, date.description, 540 + number, 540, rest: 60)
                }
                if number.isMultiple(of: 6) { group.addTask { try await stale.sweep() } }
            }
            try await group.waitForAll()
        }
        try await stale.sweep()
        let kept = try await later.months(of: worker)
        #expect(kept.keys.sorted() == ["2025-11", "2025-12", "2026-01"])
        let shifts = try await sums(worker)
        #expect(shifts == [try await months(worker)])

        try await database.execute("DELETE FROM months")
        try await later.refresh(worker, months: ["2025-11", "2025-12", "2026-01"])
        #expect(try await later.months(of: worker) == kept)
        #expect(try await sums(worker) == shifts)
    }

    private func sums(_ worker: WorkerID) async throws -> [[Int]] {
        try await database.all(
            "SELECT ARRAY[sum(gross_pay)::bigint, sum(net_pay)::bigint, count(*)] FROM shifts WHERE worker_id = \(worker)"
        ) { try $0.decode([Int].self) }
    }

    private func months(_ worker: WorkerID) async throws -> [Int] {
        try await database.one(
            "SELECT ARRAY[sum(gross_pay)::bigint, sum(net_pay)::bigint, 24] FROM months WHERE worker_id = \(worker)"
        ) { try $0.decode([Int].self) }
    }
}
