import Contracts
import FoundationEssentials
import Payroll
import Postgres
import TestKit
import Testing
import Values

@testable import Workforce

@Suite(.database(Migrations.all)) struct PayrollProjectionTests {
    private var database: PostgresClient { TestDatabase.current.client }

    @Test func projection_storesPayOfMonthAndShifts() async throws {
        try await database.execute("INSERT INTO people (account_id, nickname) VALUES (1, 'a')")
        let workplace = try await database.one(
            "INSERT INTO workplaces (creator_id, name, category, is_shared) VALUES (1, 'n', 'c', false) RETURNING id"
        ) { try $0.decode(WorkplaceID.self) }
        let worker = try await database.one(
            """
            INSERT INTO workers (workplace_id, account_id, is_accepted) VALUES (\(workplace), 1, true) RETURNING id
            """
        ) { try $0.decode(WorkerID.self) }
        var wage = Wage(terms: WageTerms(cycle: .monthly, basis: .hourly), hourlyRate: 10_030)
        wage.hasHolidayAllowance = true
        let month = CivilMonth(year: 2025, month: 11)
        let first = CivilDate(dayNumber: month.first.dayNumber + 2)
        try await database.transaction { [wage] transaction in
            try await WageStore().save(wage, of: worker, since: month.first, in: transaction)
            for day in 0..<5 {
                let date = first + day
                try await transaction.execute(
                    """
                    INSERT INTO shifts (worker_id, workplace_id, date, starts_at, ends_at, rest_minutes, hourly_rate,
                        has_night_allowance, has_holiday_allowance)
                    VALUES (\(worker), \(workplace), \(date), \(SeoulTime.instant(date, minute: 540)),
                        \(SeoulTime.instant(date, minute: 1080)), 60, 10030, false, true)
                    """
                )
            }
            try await PayrollProjection().refresh(worker, around: [first], in: transaction)
        }
        let (gross, net) = try await database.one("SELECT gross_pay, net_pay FROM months") {
            try $0.decode(Int.self, Int.self)
        }
        #expect(gross == 481_440)
        #expect(net == 481_440)
        let shifts = try await database.all("SELECT gross_pay, net_pay, net_minutes FROM shifts ORDER BY date") {
            try $0.decode(Int.self, Int?.self, Int.self)
        }
        #expect(shifts.map(\.0) == Array(repeating: 96_288, count: 5))
        #expect(shifts.allSatisfy { $0.1 == 96_288 && $0.2 == 480 })
    }
}
