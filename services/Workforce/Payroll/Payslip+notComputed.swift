import Values

extension Payslip {
    /// Lines of 0 won for what the law may grant beyond the records, which do not have the agreed days and hours: paid
    /// public holidays (Labor Standards Act 55(2); 1 May for all workplaces by its own act), and the premium beyond agreed
    /// hours (Act on Fixed-term and Part-time Employees 6(3)). Only for pay by the hour: fixed pay includes holidays.
    static func notComputed(_ pay: MonthPay, _ terms: WageTerms, _ book: PayRates) -> [Line] {
        guard pay.shifts.contains(where: \.isHourly) else { return [] }
        var lines: [Line] = []
        let holidays = unpaidHolidays(pay, terms, book).map(\.description)
        if !holidays.isEmpty {
            let rule: PayRule = terms.hasFiveOrMoreEmployees ? .paidHoliday : .labourDay
            let reason = "소정근로일이었는지 기록되지 않아 계산하지 않았습니다: \(holidays.joined(separator: ", "))"
            lines.append(Line(rule, [], reason: reason))
        }
        if terms.hasFiveOrMoreEmployees,
            pay.weeks.contains(where: { $0.minutes > 0 && $0.minutes < WeekPay.fullMinutes })
        {
            let reason = "소정근로시간이 기록되지 않아, 법정근로시간 안에서 소정근로시간을 넘은 근로의 가산은 계산하지 않았습니다."
            lines.append(Line(.agreedHours, [], reason: reason))
        }
        return lines
    }

    /// The holidays of the month without work. Below five employees these are 1 May, with work or without: no holiday
    /// premium is due there, but the paid holiday is.
    private static func unpaidHolidays(_ pay: MonthPay, _ terms: WageTerms, _ book: PayRates) -> [CivilDate] {
        let worked = Set(pay.shifts.filter { $0.minutes.net > 0 }.map(\.shift.date))
        return (pay.month.first.dayNumber...pay.month.last.dayNumber).map(CivilDate.init(dayNumber:)).filter { date in
            guard book.isHoliday(date) else { return false }
            return terms.hasFiveOrMoreEmployees ? !worked.contains(date) : date.month.month == 5 && date.day == 1
        }
    }
}
