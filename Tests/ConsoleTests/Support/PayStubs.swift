import Contracts
import TestKit

/// A membership and its payslip as workforce answers them.
enum PayStubs {
    static let membership = OperatorsAPI.Membership(
        worker: 5,
        workplace: 3,
        workplaceName: MoneyStubs.hostile,
        isOwner: false,
        isAccepted: true,
        joinedAt: 1_764_000_000,
        leftAt: nil
    )

    /// November 2025. One shift passes midnight, one is open, and one ends after the month.
    static let payslip = OperatorsAPI.Payslip(
        worker: 5,
        workplace: 3,
        workplaceName: MoneyStubs.hostile,
        nickname: MoneyStubs.hostile,
        month: "2025-11",
        pay: .init(
            workMinutes: 480,
            nightMinutes: 120,
            breakMinutes: 60,
            earnings: [
                line("기본급", 80_240, "횟수 × ⌊근로시간 × 시급 ÷ 60⌋", "1회 × ⌊480분 × 10,030원 ÷ 60⌋"),
                .init(
                    name: "공휴일 유급휴일수당(미산정)",
                    amount: 0,
                    formula: "0",
                    law: "근로기준법 제55조 제2항",
                    parts: [],
                    reason: "소정근로일이었는지 기록되지 않아 계산하지 않았습니다: 2025-11-06"
                ),
            ],
            gross: 80_240,
            deductions: [line("국민연금", 3_600, "⌊월소득 × 요율⌋", nil)],
            deducted: 3_600,
            net: 76_640,
            employerCosts: [line("임금 총액", 80_240, "지급총액", "80,240원")],
            labourCost: 80_240,
            warnings: [.init(message: MoneyStubs.hostile, law: "근로기준법 제54조", date: "2025-11-05")]
        ),
        shifts: [
            shift("2025-11-03", at: 1_762_128_000, seconds: nil),
            shift("2025-11-05", at: 1_762_347_600, seconds: 8 * 3600, isClocked: true),
            shift("2025-11-30", at: 1_764_507_600, seconds: 8 * 3600),
        ]
    )

    private static func line(_ name: String, _ amount: Int, _ formula: String, _ calculation: String?)
        -> OperatorsAPI.Payslip.Line
    {
        let figures = calculation == nil ? ["월소득 80,240원", "요율 9/200 (4.5 %)"] : []
        return .init(
            name: name,
            amount: amount,
            formula: formula,
            law: "근로기준법 제43조",
            parts: [.init(date: nil, calculation: calculation, figures: figures, amount: amount)],
            reason: nil
        )
    }

    private static func shift(_ day: String, at start: Double, seconds: Double?, isClocked: Bool = false)
        -> OperatorsAPI.Payslip.Shift
    {
        .init(
            day: day,
            startsAt: start,
            endsAt: seconds.map { start + $0 },
            breakMinutes: 60,
            clockedInAt: isClocked ? start + 60 : nil,
            clockedOutAt: isClocked ? start + 28_860 : nil
        )
    }
}
