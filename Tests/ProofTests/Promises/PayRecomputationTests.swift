import Testing
import Values

@testable import Proof

/// Payslips, and what the phones that read them knew.
struct PayRecomputationTests {
    private static let month = CivilMonth(year: 2025, month: 11)

    private static func shift(_ day: Int, length: Int = 540) throws -> WorkedShift {
        let date = try #require(CivilDate(year: 2025, month: 11, day: day))
        return WorkedShift(date, start: 540, length: length, rest: 60)
    }

    private static func reading(
        _ shown: [WorkedShift],
        _ shifts: [WorkedShift],
        open: [WorkedShift] = []
    ) -> PayslipReading {
        let lines = PayRecomputation.lines(of: shown, in: month)
        return PayslipReading("worker 1", month, shown: lines, shifts: shifts, open: open, at: .seconds(1))
    }

    /// The month of `MOUPClient.planMonth`, whose pay is known.
    @Test func wholeMonth_isPaidToTheWon() throws {
        let days = (3...28).filter { ($0 - 3) % 7 < 5 }
        let lines = try PayRecomputation.lines(of: days.map { try Self.shift($0) }, in: Self.month)
        #expect(lines["net"] == 1_725_370 && lines["minutes of work"] == 9_600)
        #expect(PayRecomputation.lines(of: [], in: Self.month).values.allSatisfy { $0 == 0 })
    }

    @Test func acknowledgedShift_isPaid() throws {
        let (one, other) = (try Self.shift(3), try Self.shift(4, length: 480))
        let good = Self.reading([one, other], [other, one])
        let lost = Self.reading([one], [one, other])
        let finding = PayslipsAreRecomputed.check([good.pair, lost.pair])
        #expect(finding.checked == 2 && finding.violations.count == 1)
        let sentence = finding.violations.first?.sentence ?? ""
        #expect(sentence.hasPrefix("The payslip of worker 1, 2025-11 differs in "), "\(sentence)")
        #expect(PayslipsAreRecomputed.check([Self.reading([one, other], [one]).pair]).violations.count == 1)
    }

    @Test func shiftWithoutACertainOutcome_mayBePaidOrNot() throws {
        let (one, other, third) = (try Self.shift(3), try Self.shift(4), try Self.shift(5, length: 300))
        for shown in [[one], [one, other], [one, third], [one, other, third]] {
            let pair = Self.reading(shown, [one], open: [other, third]).pair
            #expect(pair.recomputed.count == 4 && PayslipsAreRecomputed.check([pair]).isKept)
        }
        let wrong = Self.reading([other], [one], open: [third])
        // A day of the same length is paid as much.
        #expect(PayslipsAreRecomputed.check([wrong.pair]).isKept)
        #expect(!PayslipsAreRecomputed.check([Self.reading([third], [one], open: [other]).pair]).isKept)
    }
}
