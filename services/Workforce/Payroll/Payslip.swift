package import Contracts
import Values

/// The payslip of a month: each amount with its inputs, its rule and the legal basis. It is stored once and never
/// recalculated, so it contains all displayed texts.
package struct Payslip: Codable, Sendable, Equatable {
    /// `yyyy-MM`.
    package var month: String
    package var totalWorkMinutes: Int
    package var nightTimeMinutes: Int
    package var restTimeMinutes: Int
    /// The lines that add up to `grossIncome`.
    package var earnings: [Line]
    package var grossIncome: Int
    /// The lines that add up to `totalDeductions`. Lines of 0 won give the reason.
    package var deductions: [Line]
    package var totalDeductions: Int
    package var netIncome: Int
    /// The lines that add up to `labourCost`: the wages and the employer's contributions (MOUP contract 3D, T14).
    package var employerCosts: [Line]
    package var labourCost: Int
    package var warnings: [Warning]

    /// A line of a payslip.
    package struct Line: Codable, Sendable, Equatable {
        package var code: String
        package var label: String
        /// The sum of the items, in won.
        package var amount: Int
        /// The formula of an item's amount from its inputs (`PayRule`).
        package var formula: String
        package var law: String
        package var items: [Item]
        /// Why the amount is 0, or excludes something.
        package var reason: String?
    }

    /// A part of an amount, with its inputs.
    package struct Item: Codable, Sendable, Equatable {
        /// The day, or the Monday of the week: `yyyy-MM-dd`.
        package var date: String?
        package var inputs: [Input]
        package var amount: Int
    }

    /// A named input of the formula.
    package struct Input: Codable, Sendable, Equatable {
        package var name: String
        package var value: Int
        /// The denominator of an exact rate.
        package var of: Int?
        /// 분, 원, 회, …
        package var unit: String?
    }

    /// A violation of law, as far as the records show it, or a reservation about the rates (MOUP contract 3D, T15).
    package struct Warning: Codable, Sendable, Equatable {
        package var code: String
        package var message: String
        package var law: String
        /// The affected shift; nil if a week or the month is affected.
        package var shiftId: ShiftID?
        /// The shift's day, the week's Monday, or the first of the month.
        package var date: String
    }

    /// - Parameters:
    ///   - terms: The terms at the end of the month, which decide about deductions.
    ///   - book: The rates that the month was calculated with.
    package init(_ pay: MonthPay, terms: WageTerms, book: PayRates = .korean) {
        let rates = book.rates(in: pay.month)
        month = pay.month.description
        totalWorkMinutes = pay.netMinutes
        nightTimeMinutes = pay.nightMinutes
        restTimeMinutes = pay.restMinutes
        grossIncome = pay.gross
        totalDeductions = pay.deductions.total
        netIncome = pay.net
        labourCost = pay.labourCost
        earnings = Self.earnings(pay) + Self.notComputed(pay, terms, book)
        deductions = pay.isEmpty ? [] : DeductionLines(pay: pay, terms: terms, rates: rates).all
        employerCosts = pay.isEmpty ? [] : Self.employerCosts(pay, terms, rates)
        warnings = Self.warnings(pay, book) + Self.provisional(pay, book)
    }
}

extension Payslip.Line {
    init(_ rule: PayRule, _ items: [Payslip.Item], reason: String? = nil) {
        code = rule.code
        label = rule.label
        amount = items.reduce(0) { $0 + $1.amount }
        formula = rule.formula
        law = rule.law
        self.items = items
        self.reason = reason
    }

    /// Creates a line with one item.
    init(_ rule: PayRule, _ amount: Int, _ inputs: [Payslip.Input], reason: String? = nil) {
        self.init(rule, [Payslip.Item(inputs: inputs, amount: amount)], reason: reason)
    }
}

extension Payslip.Input {
    static func won(_ name: String, _ value: Int) -> Self { Self(name: name, value: value, unit: "원") }
    static func minutes(_ name: String, _ value: Int) -> Self { Self(name: name, value: value, unit: "분") }
    static func times(_ name: String, _ value: Int, unit: String = "회") -> Self {
        Self(name: name, value: value, unit: unit)
    }
    static func rate(_ name: String, _ rate: Fraction) -> Self { Self(name: name, value: rate.parts, of: rate.of) }
}
