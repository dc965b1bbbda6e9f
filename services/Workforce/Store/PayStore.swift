import FoundationEssentials
import Payroll
import Postgres

/// All SQL of what is earned.
struct PayStore: Sendable {
    /// A worker's shifts as pay is reckoned from them, on days of a range.
    func shifts(
        of worker: Int64,
        on days: ClosedRange<CivilDate>,
        in database: some Querying
    ) async throws -> [Shift] {
        try await database.all(
            """
            SELECT id, date, starts_at, ends_at, rest_minutes, hourly_rate, has_night_allowance, has_holiday_allowance
            FROM shifts WHERE worker_id = \(worker) AND date BETWEEN \(days.lowerBound) AND \(days.upperBound)
            """
        ) { row in
            let (id, date, start, end, rest, rate, night, holiday) = try row.decode(
                as: (Int64, CivilDate, Date, Date?, Int, Int, Bool, Bool).self
            )
            var shift = Shift(
                id: id,
                date: date,
                start: SeoulTime.minute(of: start),
                length: end.map { SeoulTime.minutes(from: start, to: $0) },
                rest: rest,
                rate: rate
            )
            shift.hasNightAllowance = night
            shift.hasWeeklyAllowance = holiday
            return shift
        }
    }

    /// Writes down what months, and the shifts in them, come to. A month without shifts is not kept.
    ///
    /// - Parameter isPaid: whether the worker has wages; without, only the shifts' minutes are kept.
    func save(
        _ months: [MonthPay],
        of worker: Int64,
        isPaid: Bool,
        in transaction: PostgresTransaction
    ) async throws {
        try await saveShifts(of: months, in: transaction)
        let kept = isPaid ? months.filter { !$0.isEmpty } : []
        let gone = months.map(\.month).filter { month in !kept.contains { $0.month == month } }
        if !gone.isEmpty {
            try await transaction.execute("DELETE FROM months WHERE worker_id = \(worker) AND month = ANY(\(gone))")
        }
        for month in kept { try await save(month, of: worker, in: transaction) }
    }

    private func saveShifts(of months: [MonthPay], in transaction: PostgresTransaction) async throws {
        let shifts = months.flatMap { month in
            let nets = month.netOfShifts
            return month.shifts.enumerated().map { ($1, nets?[$0]) }
        }
        guard !shifts.isEmpty else { return }
        try await transaction.execute(
            """
            UPDATE shifts s SET net_minutes = n.net_minutes, night_minutes = n.night_minutes, gross_pay = n.gross_pay,
                net_pay = n.net_pay
            FROM unnest(\(shifts.map(\.0.shift.id)), \(shifts.map(\.0.minutes.net)), \(shifts.map(\.0.minutes.night)),
                \(shifts.map(\.0.gross)), \(shifts.map(\.1)))
                AS n (id, net_minutes, night_minutes, gross_pay, net_pay)
            WHERE s.id = n.id AND (s.net_minutes, s.night_minutes, s.gross_pay, s.net_pay)
                IS DISTINCT FROM (n.net_minutes, n.night_minutes, n.gross_pay, n.net_pay)
            """
        )
    }

    private func save(_ pay: MonthPay, of worker: Int64, in transaction: PostgresTransaction) async throws {
        let taken = pay.deductions
        try await transaction.execute(
            """
            INSERT INTO months (worker_id, month, net_minutes, night_minutes, rest_minutes, base_pay, night_allowance,
                weekly_allowance, overtime_premium, holiday_premium, fixed_pay, gross_pay, pension, health,
                long_term_care, employment, income_tax, local_income_tax, net_pay)
            VALUES (\(worker), \(pay.month), \(pay.netMinutes), \(pay.nightMinutes), \(pay.restMinutes), \(pay.base),
                \(pay.nightAllowance), \(pay.weeklyAllowance), \(pay.overtimePremium), \(pay.holidayPremium),
                \(pay.fixed?.amount ?? 0), \(pay.gross), \(taken.pension), \(taken.health), \(taken.longTermCare),
                \(taken.employment), \(taken.incomeTax), \(taken.localIncomeTax), \(pay.net))
            ON CONFLICT (worker_id, month) DO UPDATE SET net_minutes = excluded.net_minutes,
                night_minutes = excluded.night_minutes, rest_minutes = excluded.rest_minutes,
                base_pay = excluded.base_pay, night_allowance = excluded.night_allowance,
                weekly_allowance = excluded.weekly_allowance, overtime_premium = excluded.overtime_premium,
                holiday_premium = excluded.holiday_premium, fixed_pay = excluded.fixed_pay,
                gross_pay = excluded.gross_pay, pension = excluded.pension, health = excluded.health,
                long_term_care = excluded.long_term_care, employment = excluded.employment,
                income_tax = excluded.income_tax, local_income_tax = excluded.local_income_tax,
                net_pay = excluded.net_pay
            """
        )
    }
}
