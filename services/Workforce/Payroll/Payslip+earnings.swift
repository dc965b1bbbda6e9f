import Values

extension Payslip {
    /// The earnings other than 0. The weekly allowance is included if any shift is recorded with it; if it is 0, the
    /// line gives the reason.
    static func earnings(_ pay: MonthPay) -> [Line] {
        let shifts = pay.shifts
        var lines = pay.fixed.flatMap(fixedPay)
        func add(_ rule: PayRule, _ items: [Item]) {
            if !items.isEmpty { lines.append(Line(rule, items)) }
        }
        add(.base, alike(shifts, "근로시간", \.minutes.net, \.base))
        add(.night, alike(shifts, "야간시간", \.minutes.night, \.nightAllowance))
        if let line = weeklyAllowance(pay) { lines.append(line) }
        add(.overtime, alike(shifts, "연장시간", \.overtimeMinutes, \.overtimePremium))
        add(.holiday, holidayWork(shifts))
        return lines
    }

    /// The whole months, weeks or days of a span, and the shares of those in which the terms changed.
    private static func fixedPay(_ fixed: FixedPay) -> [Line] {
        let unit =
            switch fixed.cycle {
            case .monthly: "개월"
            case .weekly: "주"
            case .daily: "일"
            }
        var lines: [Line] = []
        if fixed.count > 0, fixed.rate > 0 {
            let inputs: [Input] = [.times("횟수", fixed.count, unit: unit), .won("고정급", fixed.rate)]
            lines.append(Line(.fixed, fixed.rate * fixed.count, inputs))
        }
        let parts = fixed.parts.map { part in
            let days = part.days.upperBound.dayNumber - part.days.lowerBound.dayNumber + 1
            return Item(
                date: part.days.lowerBound.description,
                inputs: [
                    .won("고정급", fixed.rate), .times("적용일수", days, unit: "일"), .times("기간일수", part.length, unit: "일"),
                ],
                amount: part.amount
            )
        }
        if !parts.isEmpty {
            lines.append(Line(.fixedPart, parts, reason: "임금 조건이 바뀐 기간은 적용된 날수만큼 지급합니다."))
        }
        return lines
    }

    /// Combines shifts with the same minutes and rate into one item.
    private static func alike(
        _ shifts: [ShiftPay],
        _ name: String,
        _ minutes: (ShiftPay) -> Int,
        _ amount: (ShiftPay) -> Int
    ) -> [Item] {
        var groups: [(minutes: Int, rate: Int, count: Int, amount: Int)] = []
        for shift in shifts where amount(shift) > 0 {
            let (minutes, rate) = (minutes(shift), shift.shift.rate)
            if let index = groups.firstIndex(where: { $0.minutes == minutes && $0.rate == rate }) {
                groups[index].count += 1
                groups[index].amount += amount(shift)
            } else {
                groups.append((minutes, rate, 1, amount(shift)))
            }
        }
        return groups.map { group in
            Item(
                inputs: [.times("횟수", group.count), .minutes(name, group.minutes), .won("시급", group.rate)],
                amount: group.amount
            )
        }
    }

    private static func holidayWork(_ shifts: [ShiftPay]) -> [Item] {
        shifts.filter { $0.holidayPremium > 0 }.map { shift in
            Item(
                date: shift.shift.date.description,
                inputs: [
                    .minutes("이내시간", shift.holidayMinutes), .minutes("초과시간", shift.longHolidayMinutes),
                    .won("시급", shift.shift.rate),
                ],
                amount: shift.holidayPremium
            )
        }
    }

    /// The line of the weekly allowance. If a week belongs to two months, each month has the shares of its own shifts.
    private static func weeklyAllowance(_ pay: MonthPay) -> Line? {
        let month = pay.month.first...pay.month.last
        var items: [Item] = []
        var short: [String] = []
        for week in pay.weeks {
            let ended = week.ended
            guard let last = ended.last, last.shift.hasWeeklyAllowance else { continue }
            let own = ended.filter { month.contains($0.shift.date) }
            guard !own.isEmpty else { continue }
            let monday = last.shift.date.monday.description
            guard week.allMinutes >= WeekPay.leastMinutes else {
                short.append(monday)
                continue
            }
            let rest = week.weeklyAllowance % ended.count
            let inputs: [Input] = [
                .minutes("주간근로시간", week.minutes), .won("시급", last.shift.rate), .times("주간횟수", ended.count),
                .times("당월횟수", own.count), .won("나머지", month.contains(last.shift.date) ? rest : 0),
            ]
            items.append(Item(date: monday, inputs: inputs, amount: own.reduce(0) { $0 + $1.weeklyAllowance }))
        }
        guard !items.isEmpty || !short.isEmpty else { return nil }
        var reasons: [String] = []
        if !items.isEmpty { reasons.append("소정근로일을 모두 근무한 것으로 보고 계산했습니다(근로기준법 시행령 제30조 제1항).") }
        if !short.isEmpty {
            reasons.append("근로시간이 15시간 미만인 주에는 없습니다(근로기준법 제18조 제3항): \(short.joined(separator: ", "))")
        }
        return Line(.weekly, items, reason: reasons.joined(separator: " "))
    }
}
