import Testing

@testable import ServiceKit

@Suite struct PercentDecodedTests {
    @Test(arguments: [
        ("", ""), ("abc", "abc"), ("%EA%B0%80", "가"), ("%ea%b0%80-", "가-"), ("%2520", "%20"), ("a%2Fb+c", "a/b+c"),
        ("가", "가"),
    ])
    func validText_isDecodedOnce(text: String, decoded: String) {
        #expect(text.percentDecoded == decoded)
        #expect(text[...].percentDecoded == decoded)
    }

    @Test(arguments: ["%", "%4", "%zz", "%+1", "a%", "%FF", "%EA%B0"])
    func invalidText_isNil(text: String) {
        #expect(text.percentDecoded == nil)
    }
}
