import Testing

@testable import Payments

struct OrderCodeTests {
    @Test(
        arguments: [
            ("ios_culture-dev-key_1795812060", "ios_…_1795812060"), ("ios_a_b_c_1795812060", "ios_…_1795812060"),
            ("ios__1", "ios_…_1"), ("LMUI700117", "LMUI700117"), ("ios_1795812060", "ios_1795812060"), ("", ""),
        ]
    )
    func keyOfTheApp_isNotShown(code: String, shown: String) {
        #expect(Order.shownCode(code) == shown)
    }
}
