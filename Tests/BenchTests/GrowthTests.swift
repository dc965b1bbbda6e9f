import Testing

@testable import Bench

@Suite struct GrowthTests {
    private static let sizes = [1000.0, 10_000, 100_000]

    @Test(arguments: [0.0, 0.5, 1, 2])
    func exponent_isThatOfThePower(exponent: Double) throws {
        let factors = [0.0: 1.0, 0.5: 3.1622776601683795, 1: 10, 2: 100]
        let factor = try #require(factors[exponent])
        let growth = Growth(Self.sizes.enumerated().map { ($1, [7, 7 * factor, 7 * factor * factor][$0]) })
        #expect(abs(try #require(growth.exponent) - exponent) < 1e-9)
    }

    @Test func limit_isALittleAboveProportional() throws {
        let growth = Growth(Self.sizes.map { ($0, $0) })
        #expect(growth.limit > 1.1 && growth.limit < 1.15)
        let few = Growth([(1, 1), (10, 1), (100, 1)])
        #expect(few.limit > 1 && few.limit < 1.5)
    }

    @Test func costsWithoutAnExponent_haveNone() {
        #expect(Growth([(10, 1)]).exponent == nil && Growth([(10, 1), (10, 2)]).exponent == nil)
        #expect(Growth([(10, 0), (100, 1)]).exponent == nil && Growth([]).exponent == nil)
    }

    @Test func squaredCost_missesTheGoal() {
        let good = Growth(Self.sizes.map { ($0, $0) }).results("a list", of: "rows", unit: "ms")
        #expect(good.map(\.name).first == "a list, 1,000 rows" && good.count == 4)
        #expect(good.last?.isReached == true)
        #expect(
            Growth(Self.sizes.map { ($0, $0 * $0) }).results("a list", of: "rows", unit: "ms").last?.isReached == false
        )
    }
}
