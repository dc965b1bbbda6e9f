import Values

/// The lines of the deductions from a month's pay. An agreed deduction that does not apply has a line of 0 won with the
/// reason.
struct DeductionLines {
    let pay: MonthPay
    let terms: WageTerms
    let rates: Rates

    private var taken: Deductions { pay.deductions }
    private var isInsured: Bool { pay.netMinutes >= Deductions.insuredMinutes }

    private static let belowTen = "10원 미만은 버립니다."

    var all: [Payslip.Line] {
        var lines: [Payslip.Line] = []
        if terms.hasPension { lines.append(pension) }
        if terms.hasHealth { lines += [health, longTermCare] }
        if terms.hasEmployment { lines.append(employment) }
        if terms.hasIncomeTax { lines += [incomeTax, localTax] }
        return lines
    }

    private var pension: Payslip.Line {
        guard taken.pensionBase > 0 else {
            return Payslip.Line(
                .pension,
                [],
                reason: terms.isOfDayLabourer
                    ? "월 8일·60시간 미만이고 월 소득이 220만원 미만이라 공제하지 않습니다(국민연금법 시행령 제2조)."
                    : "월 60시간 미만이고 월 소득이 220만원 미만이라 공제하지 않습니다(국민연금법 시행령 제2조)."
            )
        }
        return Payslip.Line(.pension, taken.pension, pensionInputs)
    }

    var pensionInputs: [Payslip.Input] {
        [
            .won("월소득", pay.gross), .won("하한액", rates.pensionBase.lowerBound),
            .won("상한액", rates.pensionBase.upperBound), .won("기준소득월액", taken.pensionBase),
            .rate("요율", rates.pension),
        ]
    }

    private var health: Payslip.Line {
        guard isInsured else {
            return Payslip.Line(
                .health,
                [],
                reason: "월 60시간 미만이라 공제하지 않습니다(국민건강보험법 시행령 제9조)."
            )
        }
        return line(.health, taken.health, [.won("월보수", pay.gross), .rate("요율", rates.health)])
    }

    private var longTermCare: Payslip.Line {
        guard taken.health > 0 else {
            return Payslip.Line(.longTermCare, [], reason: "건강보험료가 없어 공제하지 않습니다.")
        }
        let inputs: [Payslip.Input] = [.won("건강보험료", taken.health), .rate("요율", rates.longTermCare)]
        return line(.longTermCare, taken.longTermCare, inputs)
    }

    private var employment: Payslip.Line {
        guard Deductions.isEmploymentInsured(minutes: pay.netMinutes, terms: terms) else {
            return Payslip.Line(
                .employment,
                [],
                reason: "월 60시간 미만이고 3개월 이상 계속 근로하지 않아 공제하지 않습니다(고용보험법 시행령 제3조)."
            )
        }
        return line(.employment, taken.employment, [.won("월보수", pay.gross), .rate("요율", rates.employment)])
    }

    private var incomeTax: Payslip.Line {
        switch terms.taxMode {
        case .table: taxByTable
        case .business:
            line(.taxOfBusiness, taken.incomeTax, [.won("지급액", pay.gross), .rate("세율", Deductions.businessTax)])
        case .daily: taxByDay
        }
    }

    private var taxByTable: Payslip.Line {
        var inputs: [Payslip.Input] = [
            .won("월급여", pay.gross), Payslip.Input(name: "공제대상가족", value: terms.dependents, unit: "명"),
        ]
        if let row = WithholdingTable.row(of: pay.gross) {
            inputs += [.won("구간이상", row.lowerBound), .won("구간미만", row.upperBound)]
        }
        let reason = taken.incomeTax > 0 ? nil : "간이세액표에 세액이 없거나 1,000원 미만입니다(소득세법 제86조)."
        return Payslip.Line(.taxByTable, taken.incomeTax, inputs, reason: reason)
    }

    private var taxByDay: Payslip.Line {
        let taxed = DayPayment.all(pay.payByDay, cycle: terms.cycle)
            .filter { $0.days.contains { $0.amount > Deductions.taxFreeDay } }
        let items = taxed.map { payment in
            Payslip.Item(
                date: payment.days[0].date.description,
                inputs: payment.days.map { .won("일급", $0.amount) } + [.rate("세율", DayPayment.rate)],
                amount: payment.tax
            )
        }
        let isFree = items.allSatisfy { $0.amount == 0 }
        return Payslip.Line(
            .taxByDay,
            items,
            reason: isFree ? "하루 15만원까지는 세금이 없고, 지급할 때마다 1,000원 미만이면 걷지 않습니다." : nil
        )
    }

    private var localTax: Payslip.Line {
        guard taken.incomeTax > 0 else { return Payslip.Line(.localTax, [], reason: "소득세가 없어 공제하지 않습니다.") }
        let inputs: [Payslip.Input] = [.won("소득세", taken.incomeTax), .rate("세율", Deductions.localTax)]
        return line(.localTax, taken.localIncomeTax, inputs)
    }

    private func line(_ rule: PayRule, _ amount: Int, _ inputs: [Payslip.Input]) -> Payslip.Line {
        Payslip.Line(rule, amount, inputs, reason: amount > 0 ? nil : Self.belowTen)
    }
}
