import Contracts
import Payroll
import Values

/// Pay: a month of a thousand workers with twenty shifts each, from shifts to payslips, on one thread.
struct PayBench: BenchSuite {
    let name = "pay"
    let summary = "a month of 1,000 workers with 20 shifts each: pay and payslips, on one thread"
    let tools: [BenchTool] = []

    private static let workers = 1_000
    private static let month = CivilMonth(year: 2025, month: 11)

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        let months = (0..<Self.workers).map(Self.month)
        let end = ContinuousClock.now + bench.duration
        var (times, lines) = ([Double](), 0)
        bench.report("calculating")
        repeat {
            let start = ContinuousClock.now
            lines = 0
            for (shifts, terms) in months {
                let slip = Payslip(MonthPay(Self.month, shifts: shifts, terms: terms), terms: terms)
                lines += slip.earnings.count + slip.deductions.count + slip.employerCosts.count
            }
            times.append((.now - start) / .milliseconds(1))
        } while ContinuousClock.now < end
        let median = times.sorted()[times.count / 2]
        return [
            BenchResult(
                name: "1,000 months, \(lines) lines",
                unit: "ms",
                ours: median,
                yardstick: .init(name: "the second that it may take", value: 1_000),
                goal: .ratioAtMost(1)
            ),
            BenchResult(name: "workers", unit: "months/s", ours: Double(Self.workers) / (median / 1_000)),
        ]
    }

    /// Twenty shifts in the weeks that overlap the month, some of them at night, with all allowances and deductions.
    private static func month(of worker: Int) -> ([Shift], WageTerms) {
        var terms = WageTerms(cycle: .monthly, basis: .hourly)
        terms.hasPension = true
        terms.hasHealth = true
        terms.hasEmployment = true
        terms.hasIncomeTax = true
        terms.hasFiveOrMoreEmployees = worker.isMultiple(of: 2)
        let shifts = (0..<20).map { number in
            var shift = Shift(
                id: ShiftID(rawValue: Int64(worker * 100 + number)),
                date: month.first + (number * 3 + worker) % month.length,
                start: number.isMultiple(of: 4) ? 1_320 : 540 + worker % 60,
                length: 420 + number % 5 * 30,
                rest: 30 + number % 2 * 30,
                rate: 10_030 + worker % 7 * 100
            )
            shift.hasNightAllowance = true
            shift.hasWeeklyAllowance = true
            return shift
        }
        return (shifts, terms)
    }
}
