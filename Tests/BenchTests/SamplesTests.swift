import FoundationEssentials
import Testing

@testable import Bench

@Suite struct SamplesTests {
    @Test(arguments: [
        ([5.0, 1, 3, 2, 4], 3.0, 1.0, 2.0), ([1, 2, 3, 100], 2.5, 1, 25.5), ([7, 7, 7], 7, 7, 0), ([1, 3], 2, 1, 1),
    ])
    func figuresOfRounds_haveMedianMinimumAndSpread(values: [Double], median: Double, minimum: Double, spread: Double) {
        let samples = Samples(values)
        #expect(samples.median == median && samples.minimum == minimum)
        #expect(samples.spread == spread)
    }

    @Test func oneFigure_hasNoSpread() {
        #expect(Samples(4).spread == nil && Samples(4).median == 4)
        #expect(Samples([]).spread == nil && Samples([]).median == 0 && Samples([]).quantile(0.5) == nil)
    }

    @Test func spread_isNotThatOfOneSlowRound() {
        #expect(Samples([10, 10, 10, 10, 90]).spread == 0)
    }

    @Test func roundsOfBoth_arePaired() {
        // Both were half as fast in the second round.
        #expect(Samples([200, 100, 200]).divided(by: Samples([100, 50, 100])) == Samples([2, 2, 2]))
        #expect(Samples([3, 5]).subtracting(Samples([1, 1])) == Samples([2, 4]))
    }

    @Test func roundsThatCannotBePaired_haveNoRatios() {
        #expect(Samples([1, 2]).divided(by: Samples([1])) == nil)
        #expect(Samples([1, 2]).divided(by: Samples([1, 0])) == nil)
        #expect(Samples([]).divided(by: Samples([])) == nil)
    }

    @Test func json_hasNumbersOnly() throws {
        let data = try JSONEncoder().encode(Samples([1, .infinity, .nan, 2]))
        #expect(String(decoding: data, as: UTF8.self) == "[1,2]")
        #expect(try JSONDecoder().decode(Samples.self, from: data) == Samples([1, 2]))
    }
}
