import AppClients

/// A payslip as text.
enum PayslipText {
    /// One line per amount: label, amount, calculation and legal basis.
    static func lines(_ slip: JSON, withCosts: Bool = false) -> [String] {
        var lines = rows(slip["earnings"]) + [total("지급총액", slip["grossIncome"])]
        lines += rows(slip["deductions"]) + [total("공제총액", slip["totalDeductions"])]
        lines.append(total("실수령액", slip["netIncome"]))
        guard withCosts else { return lines }
        return lines + rows(slip["employerCosts"]) + [total("인건비", slip["labourCost"])]
    }

    private static func rows(_ list: JSON?) -> [String] {
        (list?.elements ?? []).map { line in
            let name = line["label"]?.string ?? ""
            let why = [line["formula"], line["law"]].compactMap { $0?.string }.joined(separator: " · ")
            return "\(amount(line["amount"]))  \(name)  (\(why))"
        }
    }

    private static func total(_ name: String, _ value: JSON?) -> String { "\(amount(value))  = \(name)" }

    /// A right-aligned amount: `1,925,760원`.
    private static func amount(_ value: JSON?) -> String {
        let digits = String(value?.integer ?? 0)
        let groups = stride(from: digits.count, to: 0, by: -3).map { digits.prefix($0).suffix(3) }
        let text = groups.reversed().joined(separator: ",") + "원"
        return String(repeating: " ", count: max(0, 11 - text.count)) + text
    }
}
