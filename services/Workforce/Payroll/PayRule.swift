/// The rule of a line of a payslip, as shown to users (Labor Standards Act 48(2) and its decree's 27-2: the components
/// of each amount and their calculation).
///
/// A formula is exact: names stand for the inputs of an item, ⌊ ⌋ truncates to whole numbers, Σ sums over repeated
/// inputs. `간이세액표(pay, dependents)` is the withholding table, `소액부징수(tax)` is 0 for less than 1,000 won.
struct PayRule: Sendable, Equatable {
    var code: String
    var label: String
    var formula: String
    var law: String

    static let base = PayRule("BASE_PAY", "기본급", "횟수 × ⌊근로시간 × 시급 ÷ 60⌋", "근로기준법 제43조")
    static let fixed = PayRule("FIXED_PAY", "고정급", "횟수 × 고정급", "근로기준법 제43조")
    static let fixedPart = PayRule("FIXED_PAY_PART", "고정급(일할)", "⌊고정급 × 적용일수 ÷ 기간일수⌋", "근로기준법 제43조")
    static let night = PayRule(
        "NIGHT_ALLOWANCE",
        "야간근로수당",
        "횟수 × ⌊야간시간 × 시급 ÷ 120⌋",
        "근로기준법 제56조 제3항"
    )
    static let weekly = PayRule(
        "WEEKLY_HOLIDAY_ALLOWANCE",
        "주휴수당",
        "⌊⌊min(주간근로시간, 2400) × 시급 ÷ 300⌋ ÷ 주간횟수⌋ × 당월횟수 + 나머지",
        "근로기준법 제55조 제1항"
    )
    static let overtime = PayRule(
        "OVERTIME_ALLOWANCE",
        "연장근로수당",
        "횟수 × ⌊연장시간 × 시급 ÷ 120⌋",
        "근로기준법 제56조 제1항"
    )
    static let holiday = PayRule(
        "HOLIDAY_WORK_ALLOWANCE",
        "휴일근로수당",
        "⌊이내시간 × 시급 ÷ 120⌋ + ⌊초과시간 × 시급 ÷ 60⌋",
        "근로기준법 제56조 제2항"
    )

    /// Entitlements that the records do not suffice for; their lines are 0 and give the reason.
    static let paidHoliday = PayRule("PAID_HOLIDAY", "공휴일 유급휴일수당(미산정)", "0", "근로기준법 제55조 제2항")
    static let labourDay = PayRule("PAID_HOLIDAY", "노동절 유급휴일수당(미산정)", "0", "노동절 제정에 관한 법률")
    static let agreedHours = PayRule(
        "AGREED_HOURS_PREMIUM",
        "소정근로 초과 가산수당(미산정)",
        "0",
        "기간제 및 단시간근로자 보호 등에 관한 법률 제6조 제3항"
    )

    private static let pensionFormula = "⌊min(max(⌊월소득 ÷ 1000⌋ × 1000, 하한액), 상한액) × 요율 ÷ 10⌋ × 10"

    static let pension = PayRule(
        "NATIONAL_PENSION",
        "국민연금",
        pensionFormula,
        "국민연금법 제88조, 같은 법 시행령 제5조"
    )
    static let health = PayRule(
        "HEALTH_INSURANCE",
        "건강보험",
        "⌊월보수 × 요율 ÷ 10⌋ × 10",
        "국민건강보험법 제69조, 제73조"
    )
    static let longTermCare = PayRule(
        "LONG_TERM_CARE",
        "장기요양보험",
        "⌊건강보험료 × 요율 ÷ 10⌋ × 10",
        "노인장기요양보험법 제9조"
    )
    static let employment = PayRule(
        "EMPLOYMENT_INSURANCE",
        "고용보험",
        "⌊월보수 × 요율 ÷ 10⌋ × 10",
        "고용보험 및 산업재해보상보험의 보험료징수 등에 관한 법률 제13조, 제14조"
    )
    static let taxByTable = PayRule(
        "INCOME_TAX",
        "소득세",
        "간이세액표(월급여, 공제대상가족)",
        "소득세법 제134조, 같은 법 시행령 별표 2"
    )
    static let taxOfBusiness = PayRule("INCOME_TAX", "소득세", "⌊지급액 × 세율 ÷ 10⌋ × 10", "소득세법 제129조")
    static let taxByDay = PayRule(
        "INCOME_TAX",
        "소득세",
        "소액부징수(⌊Σ⌊max(일급 - 150000, 0) × 세율⌋ ÷ 10⌋ × 10)",
        "소득세법 제47조, 제55조, 제59조, 제86조, 제129조"
    )
    static let localTax = PayRule(
        "LOCAL_INCOME_TAX",
        "지방소득세",
        "⌊소득세 × 세율 ÷ 10⌋ × 10",
        "지방세법 제103조의13"
    )

    static let wages = PayRule("WAGES", "임금 총액", "지급총액", "근로기준법 제43조")
    static let employersPension = PayRule(
        "EMPLOYER_NATIONAL_PENSION",
        "국민연금 사업주 부담금",
        pensionFormula,
        "국민연금법 제88조"
    )
    static let employersHealth = PayRule(
        "EMPLOYER_HEALTH_INSURANCE",
        "건강보험 사업주 부담금",
        health.formula,
        "국민건강보험법 제76조"
    )
    static let employersLongTermCare = PayRule(
        "EMPLOYER_LONG_TERM_CARE",
        "장기요양보험 사업주 부담금",
        longTermCare.formula,
        "노인장기요양보험법 제9조, 제11조"
    )
    static let employersEmployment = PayRule(
        "EMPLOYER_EMPLOYMENT_INSURANCE",
        "고용보험 사업주 부담금",
        employment.formula,
        "고용보험 및 산업재해보상보험의 보험료징수 등에 관한 법률 제13조, 제14조"
    )

    /// All rules, in the order of a payslip.
    static let all = [
        base, fixed, fixedPart, night, weekly, overtime, holiday, paidHoliday, labourDay, agreedHours, pension, health,
        longTermCare, employment, taxByTable,
        taxOfBusiness, taxByDay, localTax, wages, employersPension, employersHealth, employersLongTermCare,
        employersEmployment,
    ]

    private init(_ code: String, _ label: String, _ formula: String, _ law: String) {
        self.code = code
        self.label = label
        self.formula = formula
        self.law = law
    }
}
