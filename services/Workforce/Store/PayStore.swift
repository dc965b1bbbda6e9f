import Contracts
import FoundationEssentials
import Payroll
import Postgres
import ServiceDatabase
import Values

/// SQL of calculated pay.
struct PayStore: Sendable {
    /// A worker's shifts in a range of days, as inputs of the calculation.
    func shifts(of worker: WorkerID, on days: ClosedRange<CivilDate>) -> Statement<[Shift]> {
        .all(
            """
            SELECT id, date, starts_at, ends_at, rest_minutes, hourly_rate, has_night_allowance, has_holiday_allowance
            FROM shifts WHERE worker_id = \(worker) AND date BETWEEN \(days.lowerBound) AND \(days.upperBound)
            """
        ) { row in
            let (id, date, start, end, rest, rate, night, holiday) = try row.decode(
                as: (ShiftID, CivilDate, Date, Date?, Int, Int, Bool, Bool).self
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

    /// The inputs that a worker's months were calculated from.
    func marks(
        of worker: WorkerID,
        in months: ClosedRange<CivilMonth>
    ) -> Statement<[(CivilMonth, CalculatedMonth.Mark)]> {
        .all(
            """
            SELECT month, basis, revision FROM months
            WHERE worker_id = \(worker) AND month BETWEEN \(months.lowerBound) AND \(months.upperBound)
            """
        ) { row in
            let (month, basis, revision) = try row.decode(CivilMonth.self, Int64.self, String.self)
            return (month, CalculatedMonth.Mark(basis: basis, revision: revision))
        }
    }

    /// Stores the pay of months and of their shifts. A month without pay is deleted.
    ///
    /// - Parameter isPaid: whether the worker has wages; otherwise only the minutes of the shifts are stored.
    func save(
        _ months: [CalculatedMonth],
        of worker: WorkerID,
        isPaid: Bool,
        in transaction: PostgresTransaction
    ) async throws {
        guard !months.isEmpty else { return }
        let kept = isPaid ? months.filter { !$0.pay.isEmpty } : []
        let gone = Set(months.map(\.pay.month)).subtracting(kept.map(\.pay.month))
        _ = try await transaction.run(
            save(shiftsOf: months.map(\.pay)),
            .execute("DELETE FROM months WHERE worker_id = \(worker) AND month = ANY(\(gone.sorted()))"),
            save(kept, of: worker)
        )
    }

    private func save(shiftsOf months: [MonthPay]) -> Statement<Int> {
        let shifts = months.flatMap { month in
            let nets = month.netOfShifts
            return month.shifts.enumerated().map { ($1, nets[$0]) }
        }
        return .execute(
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

    private func save(_ months: [CalculatedMonth], of worker: WorkerID) -> Statement<Int> {
        let pays = months.map(\.pay)
        let taken = pays.map(\.deductions)
        return .execute(
            """
            INSERT INTO months (worker_id, month, net_minutes, night_minutes, rest_minutes, base_pay, night_allowance,
                weekly_allowance, overtime_premium, holiday_premium, fixed_pay, gross_pay, pension, health,
                long_term_care, employment, income_tax, local_income_tax, net_pay, labour_cost, payslip, basis,
                revision)
            SELECT \(worker), n.* FROM unnest(\(pays.map(\.month)), \(pays.map(\.netMinutes)),
                \(pays.map(\.nightMinutes)), \(pays.map(\.restMinutes)), \(pays.map(\.base)),
                \(pays.map(\.nightAllowance)), \(pays.map(\.weeklyAllowance)), \(pays.map(\.overtimePremium)),
                \(pays.map(\.holidayPremium)), \(pays.map(\.fixedAmount)), \(pays.map(\.gross)),
                \(taken.map(\.pension)), \(taken.map(\.health)), \(taken.map(\.longTermCare)),
                \(taken.map(\.employment)), \(taken.map(\.incomeTax)), \(taken.map(\.localIncomeTax)),
                \(pays.map(\.net)), \(pays.map(\.labourCost)), \(months.map(\.payslip)), \(months.map(\.mark.basis)),
                \(months.map(\.mark.revision))) AS n
            ON CONFLICT (worker_id, month) DO UPDATE SET net_minutes = excluded.net_minutes,
                night_minutes = excluded.night_minutes, rest_minutes = excluded.rest_minutes,
                base_pay = excluded.base_pay, night_allowance = excluded.night_allowance,
                weekly_allowance = excluded.weekly_allowance, overtime_premium = excluded.overtime_premium,
                holiday_premium = excluded.holiday_premium, fixed_pay = excluded.fixed_pay,
                gross_pay = excluded.gross_pay, pension = excluded.pension, health = excluded.health,
                long_term_care = excluded.long_term_care, employment = excluded.employment,
                income_tax = excluded.income_tax, local_income_tax = excluded.local_income_tax,
                net_pay = excluded.net_pay, labour_cost = excluded.labour_cost, payslip = excluded.payslip,
                basis = excluded.basis, revision = excluded.revision
            """
        )
    }
}
