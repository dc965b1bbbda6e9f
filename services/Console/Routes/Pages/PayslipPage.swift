import Contracts
import Values

/// A payslip: each amount with its formula, and the month's shifts.
struct PayslipPage {
    let payslip: OperatorsAPI.Payslip
    let account: AccountID
    let month: CivilMonth
    let language: Language

    var html: HTML {
        """
        <p class="facts"><span>\(payslip.nickname)</span><span>\(payslip.workplaceName)</span>\
        <span>\(language("account", "계정")) \(HTML.account(account))</span>\
        \(link(to: month.next(-1)))\(link(to: month.next(1)))</p>
        \(pay)
        <h2>\(language("Shifts", "근무"))</h2>
        \(ShiftMonthPicture(month: month, shifts: payslip.shifts, language: language).svg)
        \(shifts)
        """
    }

    private func link(to month: CivilMonth) -> HTML {
        """
        <a href="\(Layout.root)/money/payslip?account=\("\(account)")&#38;workplace=\("\(payslip.workplace)")\
        &#38;month=\(month.description)">\(month.description)</a>
        """
    }

    private var pay: HTML {
        guard let pay = payslip.pay else {
            return "<p class=\"none\">\(language("There are no wage terms.", "임금 조건이 없습니다."))</p>"
        }
        let minutes = [
            language("worked \(pay.workMinutes) min", "근로 \(pay.workMinutes)분"),
            language("at night \(pay.nightMinutes) min", "야간 \(pay.nightMinutes)분"),
            language("breaks \(pay.breakMinutes) min", "휴게 \(pay.breakMinutes)분"),
        ]
        return """
            <p class="sentence">\(language("Net pay", "실지급액")) <strong>\(Amounts.text(pay.net, language))</strong></p>
            <p class="facts">\(minutes.map { "<span>\($0)</span>" as HTML })</p>
            \(warnings(pay))
            \(section(language("Earnings", "지급"), pay.earnings, pay.gross))
            \(section(language("Deductions", "공제"), pay.deductions, pay.deducted))
            \(section(language("The employer's costs", "사업주 부담"), pay.employerCosts, pay.labourCost))
            """
    }

    private func warnings(_ pay: OperatorsAPI.Payslip.Pay) -> HTML {
        guard !pay.warnings.isEmpty else { return "" }
        let items = pay.warnings.map { warning -> HTML in
            "<li>\(warning.date) \(warning.message) <span class=\"law\">\(warning.law)</span></li>"
        }
        return "<section><h2>\(language("Warnings", "경고"))</h2><ul class=\"failed\">\(items)</ul></section>"
    }

    private func section(_ title: String, _ lines: [OperatorsAPI.Payslip.Line], _ sum: Int) -> HTML {
        """
        <section><h2>\(title)</h2>
        <table><thead><tr><th scope="col">\(language("What", "항목"))</th><th scope="col">\(language("How", "계산"))</th>\
        <th scope="col">\(language("Amount", "금액"))</th></tr></thead>
        <tbody>\(lines.map(row))</tbody>
        <tfoot><tr><th scope="row">\(language("Sum", "합계"))</th><td></td>\
        <td class="amount">\(Amounts.text(sum, language))</td></tr></tfoot></table></section>
        """
    }

    private func row(_ line: OperatorsAPI.Payslip.Line) -> HTML {
        let parts = line.parts.map { part -> HTML in
            let date: HTML = part.date.map { "\($0) " } ?? ""
            let calculation: HTML = part.calculation.map { "\($0) = " } ?? ""
            let figures: HTML =
                part.figures.isEmpty ? "" : " <span class=\"law\">\(part.figures.joined(separator: ", "))</span>"
            return "<li>\(date)\(calculation)\(Amounts.text(part.amount, language))\(figures)</li>"
        }
        let list: HTML = parts.isEmpty ? "" : "<ul>\(parts)</ul>"
        let reason: HTML = line.reason.map { "<p>\($0)</p>" } ?? ""
        let formula: HTML = parts.isEmpty ? "" : "<code>\(line.formula)</code>"
        return """
            <tr><td>\(line.name)<br><span class="law">\(line.law)</span></td><td>\(formula)\(list)\(reason)</td>\
            <td class="amount">\(Amounts.text(line.amount, language))</td></tr>

            """
    }

    private var shifts: HTML {
        guard !payslip.shifts.isEmpty else { return "<p class=\"none\">\(language("None.", "없습니다."))</p>" }
        let rows = payslip.shifts.map { shift -> HTML in
            """
            <tr><td>\(shift.day)</td><td>\(Amounts.instant(shift.startsAt)) – \(Amounts.instant(shift.endsAt))</td>\
            <td>\(shift.breakMinutes)</td>\
            <td>\(Amounts.instant(shift.clockedInAt)) – \(Amounts.instant(shift.clockedOutAt))</td></tr>

            """
        }
        return """
            <table><thead><tr><th scope="col">\(language("Day", "날짜"))</th><th scope="col">\(language("Planned", "예정"))</th>\
            <th scope="col">\(language("Break, min", "휴게(분)"))</th>\
            <th scope="col">\(language("Clocked in – out", "출근 – 퇴근"))</th></tr></thead><tbody>\(rows)</tbody></table>
            """
    }
}
