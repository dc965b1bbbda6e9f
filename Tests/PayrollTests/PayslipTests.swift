import FoundationEssentials
import TestKit
import Testing
import Values

@testable import Payroll

@Suite struct PayslipTests {
    @Test(arguments: MonthVector.all)
    func amounts_followFromTheirFormulas(vector: MonthVector) throws {
        let pay = MonthPay(vector.civilMonth, shifts: vector.recorded, terms: vector.terms)
        let slip = Payslip(pay, terms: vector.terms)
        try checkFormulas(slip)
        checkSums(slip, pay)
        #expect(!slip.earnings.isEmpty)
        let names = [
            "BASE_PAY": "base pay", "NIGHT_ALLOWANCE": "night allowance",
            "WEEKLY_HOLIDAY_ALLOWANCE": "weekly holiday allowance", "OVERTIME_ALLOWANCE": "overtime premium",
            "HOLIDAY_WORK_ALLOWANCE": "holiday-work premium", "NATIONAL_PENSION": "national pension",
            "HEALTH_INSURANCE": "health insurance", "LONG_TERM_CARE": "long-term care",
            "EMPLOYMENT_INSURANCE": "employment insurance", "INCOME_TAX": "income tax",
            "LOCAL_INCOME_TAX": "local income tax", "FIXED_PAY": "GROSS", "PAID_HOLIDAY": "",
            "AGREED_HOURS_PREMIUM": "",
        ]
        for line in slip.earnings + slip.deductions {
            let name = try #require(names[line.code])
            #expect(line.amount == vector.lines[name] ?? 0, "\(line.code)")
            #expect(line.amount > 0 || line.reason != nil, "\(line.code) is 0 and has no reason")
        }
    }

    @Test func amounts_ofRandomMonths_followFromTheirFormulas() throws {
        var random = SplitMix(state: 21)
        for _ in 0..<400 {
            let (month, shifts, terms) = MonthDraw.any(&random)
            let pay = MonthPay(month, shifts: shifts, terms: terms)
            let slip = Payslip(pay, terms: terms)
            try checkFormulas(slip)
            checkSums(slip, pay)
        }
    }

    @Test func zeroDeduction_hasReason() throws {
        let vector = try #require(MonthVector.all.first { $0.name == "S04" })
        let slip = Payslip(
            MonthPay(vector.civilMonth, shifts: vector.recorded, terms: vector.terms),
            terms: vector.terms
        )
        let codes = [
            "NATIONAL_PENSION", "HEALTH_INSURANCE", "LONG_TERM_CARE", "EMPLOYMENT_INSURANCE", "INCOME_TAX",
            "LOCAL_INCOME_TAX",
        ]
        #expect(slip.deductions.map(\.code) == codes)
        #expect(slip.deductions.allSatisfy { $0.amount == 0 })
        #expect(slip.deductions[0].reason?.contains("60시간") == true)
        #expect(slip.labourCost == slip.grossIncome)
    }

    @Test func monthWithoutShifts_hasNoLines() {
        var terms = WageTerms(cycle: .monthly, basis: .hourly)
        terms.hasPension = true
        terms.hasIncomeTax = true
        let month = CivilMonth(year: 2025, month: 11)
        let slip = Payslip(MonthPay(month, shifts: [], terms: terms), terms: terms)
        #expect(slip.earnings.isEmpty && slip.deductions.isEmpty && slip.employerCosts.isEmpty)
        #expect(slip.warnings.isEmpty)
        #expect([slip.grossIncome, slip.netIncome, slip.labourCost, slip.totalWorkMinutes] == [0, 0, 0, 0])
    }

    /// S08 by the employer: 1,925,760 + 86,620 + 68,260 + 8,840 and 1,925,760 × 115 / 10,000 = 22,146.24, cut to
    /// 22,140.
    @Test func employerCosts_addUpToLabourCost() throws {
        let vector = try #require(MonthVector.all.first { $0.name == "S08" })
        let pay = MonthPay(vector.civilMonth, shifts: vector.recorded, terms: vector.terms)
        let slip = Payslip(pay, terms: vector.terms)
        #expect(slip.employerCosts.map(\.amount) == [1_925_760, 86_620, 68_260, 8_840, 22_140])
        #expect(slip.labourCost == 2_111_620)
    }

    @Test func payslip_survivesEncoding() throws {
        for vector in MonthVector.all {
            let pay = MonthPay(vector.civilMonth, shifts: vector.recorded, terms: vector.terms)
            let slip = Payslip(pay, terms: vector.terms)
            #expect(try JSONDecoder().decode(Payslip.self, from: JSONEncoder().encode(slip)) == slip)
        }
    }

    private func checkFormulas(_ slip: Payslip) throws {
        for line in slip.earnings + slip.deductions + slip.employerCosts {
            for item in line.items {
                #expect(try Formula.value(of: item, by: line.formula) == item.amount, "\(line.code) \(item)")
            }
            #expect(line.items.reduce(0) { $0 + $1.amount } == line.amount)
            #expect(!line.law.isEmpty && !line.label.isEmpty)
        }
    }

    private func checkSums(_ slip: Payslip, _ pay: MonthPay) {
        #expect(slip.earnings.reduce(0) { $0 + $1.amount } == pay.gross)
        #expect(slip.deductions.reduce(0) { $0 + $1.amount } == pay.deductions.total)
        #expect(slip.grossIncome - slip.totalDeductions == slip.netIncome)
        #expect(slip.employerCosts.reduce(0) { $0 + $1.amount } == slip.labourCost)
    }
}
