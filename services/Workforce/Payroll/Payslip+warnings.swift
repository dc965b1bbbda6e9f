import Values

extension Payslip {
    /// Violations of law, per shift and then per week.
    static func warnings(_ pay: MonthPay, _ book: PayRates) -> [Warning] {
        let minimumWage = book.rates(in: pay.month).minimumWage
        var warnings: [Warning] = []
        for shift in pay.shifts where shift.shift.length != nil {
            if shift.isHourly, shift.shift.rate < minimumWage {
                warnings.append(.belowMinimumWage(shift, minimumWage))
            }
            if let least = leastRest(of: shift.minutes.net), shift.minutes.rest < least {
                warnings.append(.shortRest(shift, least))
            }
            if shift.hasPremiums, shift.minutes.night > 0, !shift.shift.hasNightAllowance {
                warnings.append(.unpaidNight(shift))
            }
        }
        warnings += pay.fixed.compactMap { lowFixedPay($0, pay, minimumWage) }
        let month = pay.month.first...pay.month.last
        for week in pay.weeks where week.allMinutes >= WeekPay.leastMinutes {
            let ended = week.ended
            guard let last = ended.last, !last.shift.hasWeeklyAllowance,
                ended.contains(where: { month.contains($0.shift.date) })
            else { continue }
            warnings.append(.unpaidWeek(last.shift.date.monday, week.minutes))
        }
        return warnings
    }

    /// The warning of fixed pay below the minimum wage for the minutes of the days that it is paid for (Minimum Wage Act
    /// 6; Labor Standards Act 15: the part below is void).
    private static func lowFixedPay(_ fixed: FixedPay, _ pay: MonthPay, _ minimumWage: Int) -> Warning? {
        guard let first = fixed.days.first?.date else { return nil }
        let days = Set(fixed.days.map(\.date))
        let shifts = pay.weeks.flatMap(\.shifts).filter { !$0.isHourly && days.contains($0.shift.date) }
        let minutes = shifts.reduce(0) { $0 + $1.minutes.net }
        guard fixed.amount * 60 < minutes * minimumWage else { return nil }
        return Warning(
            code: "BELOW_MINIMUM_WAGE",
            message: "고정급 \(fixed.amount)원이 근로시간 \(minutes)분의 최저임금 \(minutes * minimumWage / 60)원보다 적습니다.",
            law: "최저임금법 제6조",
            date: first.description
        )
    }

    /// The break in minutes that is required for these minutes of work (Labor Standards Act 54).
    private static func leastRest(of minutes: Int) -> Int? {
        minutes >= 8 * 60 ? 60 : minutes >= 4 * 60 ? 30 : nil
    }
}

extension Payslip.Warning {
    private init(_ code: String, _ message: String, _ law: String, _ shift: ShiftPay) {
        self.init(
            code: code,
            message: message,
            law: law,
            shiftId: shift.shift.id,
            date: shift.shift.date.description
        )
    }

    fileprivate static func belowMinimumWage(_ shift: ShiftPay, _ least: Int) -> Self {
        let message = "시급 \(shift.shift.rate)원이 최저임금 \(least)원보다 적습니다."
        return Self("BELOW_MINIMUM_WAGE", message, "최저임금법 제6조", shift)
    }

    fileprivate static func shortRest(_ shift: ShiftPay, _ least: Int) -> Self {
        let message = "\(shift.minutes.net)분을 일하면 \(least)분 이상 쉬어야 합니다. 휴게시간이 \(shift.minutes.rest)분입니다."
        return Self("SHORT_BREAK", message, "근로기준법 제54조", shift)
    }

    fileprivate static func unpaidNight(_ shift: ShiftPay) -> Self {
        let message = "상시 5인 이상 사업장의 야간근로 \(shift.minutes.night)분에 가산수당이 없습니다."
        return Self("NIGHT_ALLOWANCE_OFF", message, "근로기준법 제56조 제3항", shift)
    }

    fileprivate static func unpaidWeek(_ monday: CivilDate, _ minutes: Int) -> Self {
        Self(
            code: "WEEKLY_HOLIDAY_ALLOWANCE_OFF",
            message: "한 주에 \(minutes / 60)시간을 일했지만 주휴수당이 꺼져 있습니다.",
            law: "근로기준법 제55조 제1항",
            date: monday.description
        )
    }
}
