import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Payroll
import Postgres
import TestKit
import Testing
import Values

@testable import Workforce

/// Payslips of past months stay as they were stored.
@Suite(.database(Migrations.all)) struct PayslipRetentionTests {
    private var world: WorkforceWorld { .current }
    private static let now = Date.seoul("2025-11-20", 600)
    private var database: PostgresClient { TestDatabase.current.client }

    /// A worker with four months of forty-hour weeks, September to December.
    private func worker(_ pay: PayWorld, _ account: AccountID = 1) async throws -> (
        place: WorkplaceID, worker: WorkerID
    ) {
        let place = try await pay.workplace(of: 9, "가게 \(account)")
        let worker = try await pay.worker(account, at: place, .full)
        for month in ["09", "10", "11", "12"] {
            for day in 8...19 where CivilDate.of("2025-\(month)-\(day < 10 ? "0" : "")\(day)").weekday.rawValue < 5 {
                try await pay.work(worker, "2025-\(month)-\(day < 10 ? "0" : "")\(day)", 540, 540, rest: 60)
            }
        }
        return (place, worker)
    }

    private func payslips(_ place: WorkplaceID) async throws -> [String] {
        var texts: [String] = []
        for month in ["09", "10", "11", "12"] {
            let path = "/workplaces/\(place)/workers/me/payslips/2025-\(month)"
            texts.append(try await world.client(1).send(.get, path).text)
        }
        return texts
    }

    @Test(.service(at: "2025-11-20T10:00")) func wageChange_keepsPastPayslips() async throws {
        let pay = PayWorld(now: Self.now)
        let (place, worker) = try await worker(pay)
        let before = try await payslips(place)
        let better = Wage.hourly(20_000) { $0.terms.dependents = 3 }
        try await pay.raise(worker, to: better, since: "2025-11-01")
        try await pay.refresh(worker, months: ["2025-09", "2025-10", "2025-11", "2025-12"])
        let after = try await payslips(place)
        #expect(after[0] == before[0] && after[1] == before[1])
        // Recorded shifts keep their rate; deductions follow the new wage.
        #expect(after[2] != before[2] && after[2].contains(#""dependents":3"#))
        #expect(after[2].contains(#""hourlyRate":10030"#) && after[2].contains(#""deductions":[]"#))
    }

    @Test(.service(at: "2025-11-20T10:00")) func newRateBook_keepsPastPayslips() async throws {
        let (place, worker) = try await worker(PayWorld(now: Self.now))
        let (before, rows) = (try await payslips(place), try await PayWorld().months(of: worker))
        let later = PayWorld(book: try .corrected(), now: Self.now)
        try await later.refresh(worker, months: ["2025-09", "2025-10", "2025-11", "2025-12"])
        let (after, newRows) = (try await payslips(place), try await later.months(of: worker))
        #expect(after[0] == before[0] && after[1] == before[1])
        #expect(newRows["2025-09"] == rows["2025-09"] && newRows["2025-10"] == rows["2025-10"])
        #expect(after[2] != before[2] && after[3] != before[3])
        // An edited shift of October is calculated with the current rates.
        try await database.execute(
            "UPDATE shifts SET rest_minutes = 61 WHERE worker_id = \(worker) AND date = '2025-10-08'"
        )
        try await later.refresh(worker, months: ["2025-09", "2025-10"])
        let edited = try await payslips(place)
        #expect(edited[0] == before[0] && edited[1] != before[1])
    }

    @Test(.service) func editedShift_changesItsOwnMonthsOnly() async throws {
        let pay = PayWorld(now: Self.now)
        let (_, worker) = try await worker(pay)
        try await pay.work(worker, "2025-09-29", 540, 300)
        let before = try await pay.months(of: worker)
        func edit(_ date: String) async throws -> Set<String> {
            let date = CivilDate.of(date)
            try await database.transaction { transaction in
                try await transaction.execute(
                    "UPDATE shifts SET rest_minutes = rest_minutes + 5 WHERE worker_id = \(worker) AND date = \(date)"
                )
                try await pay.pay.refresh(worker, around: [date], in: transaction)
            }
            let after = try await pay.months(of: worker)
            return Set(after.keys.filter { after[$0] != before[$0] })
        }
        #expect(try await edit("2025-10-14") == ["2025-10"])
        // The week from 29 September on lies in two months.
        #expect(try await edit("2025-09-29") == ["2025-09", "2025-10"])
    }

    @Test(.service) func refresh_withoutChanges_writesNothing() async throws {
        let pay = PayWorld(now: Self.now)
        let (_, worker) = try await worker(pay)
        func versions() async throws -> [String] {
            try await database.all(
                """
                SELECT xmin::text FROM months WHERE worker_id = \(worker)
                UNION ALL SELECT xmin::text FROM shifts WHERE worker_id = \(worker) ORDER BY 1
                """
            ) { try $0.decode(String.self) }
        }
        let before = try await versions()
        try await pay.refresh(worker, months: ["2025-09", "2025-10", "2025-11", "2025-12"])
        #expect(try await versions() == before)
    }

    @Test(.service) func monthWithoutShifts_isDeleted() async throws {
        let pay = PayWorld(now: Self.now)
        let place = try await pay.workplace(of: 9)
        let worker = try await pay.worker(1, at: place, .full)
        try await pay.work(worker, "2025-11-05", 540, 540, rest: 60)
        #expect(try await pay.months(of: worker).count == 1)
        try await database.execute("DELETE FROM shifts WHERE worker_id = \(worker)")
        try await pay.refresh(worker, months: ["2025-11"])
        #expect(try await pay.months(of: worker).isEmpty)
    }

    @Test(.service) func sweepWithNewRateBook_updatesOpenMonths() async throws {
        let pay = PayWorld(now: Self.now)
        let (first, second) = (try await worker(pay).worker, try await worker(pay, 2).worker)
        try await database.execute("UPDATE workers SET parted_at = now() WHERE id = \(second)")
        let later = PayrollProjection(book: try .corrected(), now: { Self.now })
        let before = [try await pay.months(of: first), try await pay.months(of: second)]
        let stale = PayrollRecalculation(database: database, pay: later, batch: 1, logger: .quiet)
        // Several replicas start at once.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 { group.addTask { try await stale.sweep() } }
            try await group.waitForAll()
        }
        for (index, worker) in [first, second].enumerated() {
            let after = try await pay.months(of: worker)
            #expect(after.keys.filter { after[$0] != before[index][$0] }.sorted() == ["2025-11", "2025-12"])
        }
        let revisions = try await database.all(
            "SELECT DISTINCT revision FROM months WHERE month >= '2025-11-01'"
        ) { try $0.decode(String.self) }
        #expect(revisions == [later.book.revision])
        // November: 8 days of 80,240, a week's allowance of 80,240 and one of 48,144 are 770,304; 770,000 × 5 % =
        // 38,500. December: 10 days and two weeks' allowances are 962,880; 962,000 × 5 % = 48,100.
        let pension = try await database.all(
            "SELECT pension FROM months WHERE month >= '2025-11-01' ORDER BY month, worker_id"
        ) { try $0.decode(Int.self) }
        #expect(pension == [38_500, 38_500, 48_100, 48_100])
        let settled = try await pay.months(of: first)
        try await stale.sweep()
        #expect(try await pay.months(of: first) == settled)
    }
}
