import Testing
import Values

struct GroupedNumberTests {
    @Test(arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (30_000, "30,000"), (1_234_567, "1,234,567")])
    func number_isGroupedByThreeDigits(_ number: Int, _ text: String) {
        #expect(number.grouped == text)
    }
}
