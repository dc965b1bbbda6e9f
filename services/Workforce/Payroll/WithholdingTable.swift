/// Income tax by the simplified withholding table (Enforcement Decree of the Income Tax Act, annex 2), calculated by
/// the algorithm that the table was generated with (MOUP contract 3E). Exact: all amounts are in ten-millionths of a
/// won.
package enum WithholdingTable {
    private static let one = 10_000_000
    private static let million = 1_000_000

    /// The month's income tax, without local tax, in won.
    ///
    /// - Parameters:
    ///   - pay: The month's taxable pay, in won.
    ///   - dependents: At least 1, including the worker.
    package static func tax(pay: Int, dependents: Int) -> Int {
        guard pay < 10 * million else { return taxOfHighPay(pay, dependents) }
        guard let row = row(of: pay) else { return 0 }
        return tax(middle: (row.lowerBound + row.upperBound) / 2, dependents: dependents)
    }

    /// The row of the table for a pay; nil below the table, and for its last lines, which have no rows.
    static func row(of pay: Int) -> Range<Int>? {
        guard (770_000..<10 * million).contains(pay) else { return nil }
        let width = pay < 1_500_000 ? 5_000 : pay < 3_000_000 ? 10_000 : 20_000
        let least = pay / width * width
        return least..<least + width
    }

    /// The table's last lines: the tax on ten million won, plus shares of the pay above it.
    private static func taxOfHighPay(_ pay: Int, _ dependents: Int) -> Int {
        let base = tax(middle: 10 * million, dependents: dependents)
        let lines: [(above: Int, plus: Int, share: Fraction)] = [
            (87 * million, 31_034_600, Fraction(45, of: 100)), (45 * million, 13_394_600, Fraction(42, of: 100)),
            (30 * million, 7_394_600, Fraction(40, of: 100)), (28 * million, 6_610_600, Fraction(392, of: 1000)),
            (14 * million, 1_397_000, Fraction(3724, of: 10_000)), (10 * million, 25_000, Fraction(343, of: 1000)),
        ]
        guard let line = lines.first(where: { pay > $0.above }) else { return base }
        return (base + line.plus + line.share.times(pay - line.above)).cutToTen
    }

    private static func tax(middle: Int, dependents: Int) -> Int {
        let yearly = 12 * middle
        var income = yearly * one
        income -= earnedIncomeDeduction(yearly)
        income -= 1_500_000 * dependents * one
        // The table uses the pension contribution of an earlier year.
        income -= min(max(middle / 1000 * 1000, 290_000), 4_490_000) * 12 * 45 * (one / 1000)
        income -= specialDeduction(yearly, dependents)
        let tax = assessed(max(0, income))
        let monthly = ((tax - credit(tax, yearly)) / (12 * one)).cutToTen
        return monthly < 1000 ? 0 : monthly
    }

    /// Income Tax Act 47.
    private static func earnedIncomeDeduction(_ yearly: Int) -> Int {
        let percent = one / 100
        return switch yearly {
        case ...(5 * million): yearly * 70 * percent
        case ...(15 * million): 3_500_000 * one + (yearly - 5 * million) * 40 * percent
        case ...(45 * million): 7_500_000 * one + (yearly - 15 * million) * 15 * percent
        case ...(100 * million): 12 * million * one + (yearly - 45 * million) * 5 * percent
        default: 14_750_000 * one + (yearly - 100 * million) * 2 * percent
        }
    }

    private static func specialDeduction(_ yearly: Int, _ dependents: Int) -> Int {
        let permille = one / 1000
        let isFamily = dependents >= 3
        var deduction = (dependents == 1 ? 3_100_000 : isFamily ? 5_000_000 : 3_600_000) * one
        switch yearly {
        case ...(45 * million):
            deduction += yearly * (isFamily ? 70 : 40) * permille
            deduction -= max(0, yearly - 30 * million) * 50 * permille
        case ...(70 * million):
            deduction += yearly * (dependents == 1 ? 15 : isFamily ? 50 : 20) * permille
        default:
            deduction += yearly * (dependents == 1 ? 5 : isFamily ? 30 : 10) * permille
        }
        if isFamily { deduction += max(0, yearly - 40 * million) * 40 * permille }
        return deduction
    }

    /// Income Tax Act 55.
    private static func assessed(_ income: Int) -> Int {
        let won = million * one
        return switch income {
        case ...(14 * won): income / 100 * 6
        case ...(50 * won): 840_000 * one + (income - 14 * won) / 100 * 15
        case ...(88 * won): 6_240_000 * one + (income - 50 * won) / 100 * 24
        default: 15_360_000 * one + (income - 88 * won) / 100 * 35
        }
    }

    /// Income Tax Act 59.
    private static func credit(_ tax: Int, _ yearly: Int) -> Int {
        let credit =
            tax <= 500_000 * one ? tax / 100 * 55 : 275_000 * one + (tax - 500_000 * one) / 100 * 30
        let limit =
            switch yearly {
            case ...(33 * million): 740_000 * one
            case ...(55 * million): 660_000 * one
            case ...(70 * million): 630_000 * one
            default: max(500_000 * one, 630_000 * one - (yearly - 70 * million) * one / 2)
            }
        return min(credit, limit)
    }
}
