import Contracts
import FoundationEssentials
import Payroll
import Postgres
import TestKit
import Testing
import Values

@testable import Workforce

/// Checks that the stored pay equals a recalculation from the shifts.
enum ShiftAudit {
    /// Calculates the pay of all workers from shifts and wages alone, and compares it with the stored pay; checks the
    /// series as well.
    static func check(_ location: SourceLocation = #_sourceLocation) async throws {
        let database = TestDatabase.current.client
        let workers = try await database.all("SELECT id FROM workers") { try $0.decode(WorkerID.self) }
        for worker in workers { try await check(worker, in: database, location) }
        let wrong = try await database.all(
            """
            SELECT e.id FROM series e LEFT JOIN shifts s ON s.series_id = e.id GROUP BY e.id
            HAVING e.days IS DISTINCT FROM bit_or(1 << extract(isodow FROM s.series_date)::int - 1)
                OR e.until IS DISTINCT FROM max(s.series_date)
            """
        ) { try $0.decode(Int64.self) }
        #expect(wrong == [], "series that do not say what is left of them", sourceLocation: location)
    }

    private struct Kept: Equatable {
        var netMinutes: Int
        var nightMinutes: Int
        var gross: Int
        var net: Int?
    }

    private static func check(_ worker: WorkerID, in database: PostgresClient, _ location: SourceLocation) async throws
    {
        let history = try await WageStore().history(of: worker, in: database)
        let always = CivilDate(dayNumber: 0)...CivilDate(dayNumber: 60_000)
        let shifts = try await database.run(PayStore().shifts(of: worker, on: always))
        var reckoned: [ShiftID: Kept] = [:]
        var grosses: [String: Int] = [:]
        var nets: [String: Int] = [:]
        for month in Set(shifts.map(\.date.month)) {
            let terms = history.terms ?? TermHistory(WageTerms(cycle: .monthly, basis: .hourly))
            let pay = MonthPay(month, shifts: shifts, history: terms)
            for (index, shift) in pay.shifts.enumerated() {
                reckoned[shift.shift.id] = Kept(
                    netMinutes: shift.minutes.net,
                    nightMinutes: shift.minutes.night,
                    gross: shift.gross,
                    net: pay.netOfShifts[index]
                )
            }
            guard !history.entries.isEmpty else { continue }
            grosses[month.description] = pay.gross
            nets[month.description] = pay.net
        }
        let kept = try await database.all(
            "SELECT id, net_minutes, night_minutes, gross_pay, net_pay FROM shifts WHERE worker_id = \(worker)"
        ) { try $0.decode(ShiftID.self, Int.self, Int.self, Int.self, Int?.self) }
        #expect(
            Dictionary(
                uniqueKeysWithValues: kept.map {
                    ($0.0, Kept(netMinutes: $0.1, nightMinutes: $0.2, gross: $0.3, net: $0.4))
                }
            )
                == reckoned,
            sourceLocation: location
        )
        let months = try await database.all("SELECT month, gross_pay, net_pay FROM months WHERE worker_id = \(worker)")
        {
            try $0.decode(CivilMonth.self, Int.self, Int.self)
        }
        #expect(
            Dictionary(uniqueKeysWithValues: months.map { ($0.0.description, $0.1) }) == grosses,
            sourceLocation: location
        )
        #expect(
            Dictionary(uniqueKeysWithValues: months.map { ($0.0.description, $0.2) }) == nets,
            sourceLocation: location
        )
    }
}
