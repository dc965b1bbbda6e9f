import Contracts
import Payroll
import Values

/// A stored payslip in words: each formula with its figures.
extension OperatorsAPI.Payslip.Pay {
    init(_ payslip: Payslip) {
        self.init(
            workMinutes: payslip.totalWorkMinutes,
            nightMinutes: payslip.nightTimeMinutes,
            breakMinutes: payslip.restTimeMinutes,
            earnings: payslip.earnings.map(OperatorsAPI.Payslip.Line.init),
            gross: payslip.grossIncome,
            deductions: payslip.deductions.map(OperatorsAPI.Payslip.Line.init),
            deducted: payslip.totalDeductions,
            net: payslip.netIncome,
            employerCosts: payslip.employerCosts.map(OperatorsAPI.Payslip.Line.init),
            labourCost: payslip.labourCost,
            warnings: payslip.warnings.map { warning in
                OperatorsAPI.Payslip.Warning(message: warning.message, law: warning.law, date: warning.date)
            }
        )
    }
}

extension OperatorsAPI.Payslip.Line {
    fileprivate init(_ line: Payslip.Line) {
        self.init(
            name: line.label,
            amount: line.amount,
            formula: line.formula,
            law: line.law,
            parts: line.items.map { OperatorsAPI.Payslip.Part($0, of: line.formula) },
            reason: line.reason
        )
    }
}

extension OperatorsAPI.Payslip.Part {
    /// - Parameter formula: That of the item's line.
    init(_ item: Payslip.Item, of formula: String) {
        let inputs = item.inputs
        // The formula of several figures with one name is a sum over them.
        let isSum = Set(inputs.map(\.name)).count < inputs.count
        let (calculation, named) = inputs.inserted(into: formula)
        let rest = isSum ? inputs : inputs.filter { !named.contains($0.name) }
        self.init(
            date: item.date,
            calculation: isSum ? nil : calculation,
            figures: rest.map { "\($0.name) \($0.text)" },
            amount: item.amount
        )
    }
}

extension [Payslip.Input] {
    /// A formula with figures in place of their names, and the names that it has. Where one name begins with another, the
    /// longer one is meant.
    fileprivate func inserted(into formula: String) -> (text: String, named: Set<String>) {
        let inputs = sorted { $0.name.count > $1.name.count }
        var (text, named, rest) = ("", Set<String>(), formula[...])
        while let first = rest.first {
            if let input = inputs.first(where: { !$0.name.isEmpty && rest.hasPrefix($0.name) }) {
                text += input.text
                named.insert(input.name)
                rest = rest.dropFirst(input.name.count)
            } else {
                text.append(first)
                rest.removeFirst()
            }
        }
        return (text, named)
    }
}

extension Payslip.Input {
    /// As `10,030원`, `480분`, or `9/200 (4.5 %)` for a rate.
    fileprivate var text: String {
        let number = (value < 0 ? "-" : "") + value.magnitude.grouped
        guard let of, of != 0 else { return number + (unit ?? "") }
        let percent = (Double(value) / Double(of) * 1_000_000).rounded() / 10_000
        return "\(value)/\(of) (\(percent) %)"
    }
}
