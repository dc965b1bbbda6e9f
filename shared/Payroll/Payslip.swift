import CivilTime

/// What a month comes to, and why: each amount with what it was reckoned from, the rule, and the law that the rule stands in.
/// It is written down once and never derived again, so it carries every word that people read.
package struct Payslip: Codable, Sendable, Equatable {
    /// `yyyy-MM`.
    package var month: String
    package var totalWorkMinutes: Int
    package var nightTimeMinutes: Int
    package var restTimeMinutes: Int
    /// Add up to `grossIncome`.
    package var earnings: [Line]
    package var grossIncome: Int
    /// Add up to `totalDeductions`. Those of 0 won say why nothing is taken.
    package var deductions: [Line]
    package var totalDeductions: Int
    package var netIncome: Int
    /// Add up to `labourCost`: the wages, and what the employer pays for them (MOUP contract 3D, T14).
    package var employerCosts: [Line]
    package var labourCost: Int
    package var warnings: [Warning]

    /// An amount.
    package struct Line: Codable, Sendable, Equatable {
        package var code: String
        package var label: String
        /// In won: what its items add up to.
        package var amount: Int
        /// How the amount of an item follows from its inputs (`PayRule`).
        package var formula: String
        package var law: String
        package var items: [Item]
        /// Why it is 0, or leaves something out.
        package var reason: String?
    }

    /// A part of an amount, with what it was reckoned from.
    package struct Item: Codable, Sendable, Equatable {
        /// The day, or the week by its Monday: `yyyy-MM-dd`.
        package var date: String?
        package var inputs: [Input]
        package var amount: Int
    }

    /// A number by the name that it has in the formula.
    package struct Input: Codable, Sendable, Equatable {
        package var name: String
        package var value: Int
        /// What the value is parts of, for exact rates.
        package var of: Int?
        /// 분, 원, 회, …
        package var unit: String?
    }

    /// What cannot be right by law, as far as it can be told from what was recorded (MOUP contract 3D, T15).
    package struct Warning: Codable, Sendable, Equatable {
        package var code: String
        package var message: String
        package var law: String
        /// The shift that it is about; none when it is about a week.
        package var shiftId: Int64?
        /// The shift's day, or the week's Monday.
        package var date: String
    }

    /// - Parameters:
    ///   - terms, book: what the month was reckoned with.
    package init(_ pay: MonthPay, terms: WageTerms, book: RateBook = .korean) {
        let rates = book.rates(in: pay.month)
        month = pay.month.description
        totalWorkMinutes = pay.netMinutes
        nightTimeMinutes = pay.nightMinutes
        restTimeMinutes = pay.restMinutes
        grossIncome = pay.gross
        totalDeductions = pay.deductions.total
        netIncome = pay.net
        labourCost = pay.labourCost
        earnings = Self.earnings(pay, terms)
        deductions = pay.isEmpty ? [] : DeductionLines(pay: pay, terms: terms, rates: rates).all
        employerCosts = pay.isEmpty ? [] : Self.employerCosts(pay, terms, rates)
        warnings = Self.warnings(pay, terms, book)
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

    /// A line that has one item.
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
