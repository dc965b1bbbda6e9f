import Values

extension Payslip {
    /// The reservation on a month with shifts whose rates or holidays are not known (MOUP contract 3D, T15).
    static func provisional(_ pay: MonthPay, _ book: PayRates) -> [Warning] {
        guard !pay.isEmpty, book.isProvisional(pay.month) else { return [] }
        let warning = Warning(
            code: "PROVISIONAL_RATES",
            message: "이 달의 법정 요율이나 공휴일이 모두 확정되지 않아 알려진 가장 가까운 요율로 계산했습니다. 금액이 달라질 수 있습니다.",
            law: "최저임금법 제10조, 노인장기요양보험법 제9조, 관공서의 공휴일에 관한 규정",
            date: pay.month.first.description
        )
        return [warning]
    }
}
