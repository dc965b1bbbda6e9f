import Proof
import Testing

struct LedgersAreZeroTests {
    private func sample(_ at: Double, _ balances: [String: Int64], stated: [String: Int64] = [:]) -> LedgerSample {
        LedgerSample(at: .seconds(at), ledger: "credit", balances: balances, stated: stated)
    }

    @Test func balancedSamples_areKept() {
        let finding = LedgersAreZero.check([
            sample(1, [:]), sample(2, ["house": 300, "passenger/1": -300], stated: ["passenger/1": -300]),
            LedgerSample(at: .seconds(2), ledger: "order A", balances: ["clearing": 100, "sales": -100]),
        ])
        #expect(finding.isKept)
        #expect(finding.checked == 3)
    }

    @Test func imbalance_isFoundWhereItBegins() {
        let finding = LedgersAreZero.check([
            sample(3, ["house": 300, "passenger/1": -200]), sample(1, ["house": 200, "passenger/1": -200]),
            sample(4, ["house": 400, "passenger/1": -200]),
        ])
        #expect(finding.sentences == ["At 3.000 s the ledger credit added up to 100."])
        #expect(finding.violations.first?.story.map(\.what) == ["adds up to 0", "house: 300, before 200"])
    }

    @Test func statedBalance_isThatOfTheEntries() {
        let finding = LedgersAreZero.check([
            sample(1, ["house": 10, "passenger/1": -10], stated: ["passenger/1": -10, "passenger/2": 5])
        ])
        #expect(finding.sentences == ["At 1.000 s passenger/2 of the ledger credit had 5, but its entries are 0."])
    }

    @Test func payslip_equalsItsRecomputation() {
        let same = PayslipPair(
            "worker 1, 2026-11",
            stored: ["gross": 10, "tax": 0],
            recomputed: [["gross": 10]],
            at: .seconds(1)
        )
        #expect(PayslipsAreRecomputed.check([same]).isKept)
        var other = same
        (other.stored["gross"], other.recomputed[0]["net"]) = (11, 9)
        let finding = PayslipsAreRecomputed.check([same, other])
        #expect(finding.checked == 2)
        #expect(finding.sentences == ["The payslip of worker 1, 2026-11 differs in gross, net."])
        #expect(
            finding.violations.first?.story.map(\.what) == [
                "gross: 11 stored, 10 recomputed", "net: 0 stored, 9 recomputed",
            ]
        )
    }

    @Test func counter_isTheCount() {
        let pair = CounterPair("likes of post 7", reader: "phone 3", stated: 2, counted: 2, at: .seconds(1))
        #expect(CountersAreCounts.check([pair]).isKept)
        var wrong = pair
        wrong.stated = 3
        #expect(CountersAreCounts.check([wrong]).sentences == ["phone 3 has 3 likes of post 7, but there are 2."])
        wrong.stated = -1
        #expect(CountersAreCounts.check([pair, wrong]).violations.count == 1)
    }
}
