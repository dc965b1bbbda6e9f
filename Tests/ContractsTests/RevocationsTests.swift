import Contracts
import Testing

@Suite struct RevocationsTests {
    private typealias Revocation = AuthAPI.Revocations.Revocation

    @Test func text_namesAFewSessions() {
        let ended = (0..<60).map {
            Revocation(session: "s\($0)", cause: $0 == 1 ? .leaving : .withdrawn, until: Int64($0))
        }
        #expect(AuthAPI.Revocations.text(of: ended.prefix(2)) == "withdrawn s0 0,leaving s1 1")
        for count in [0, 1, 3, 50] {
            let text = AuthAPI.Revocations.text(of: ended.prefix(count))
            #expect(AuthAPI.Revocations.revocations(text: text) == Array(ended.prefix(count)))
        }
        #expect(AuthAPI.Revocations.revocations(text: AuthAPI.Revocations.text(of: ended)).count == 50)
    }

    @Test func unreadableTexts_areLeftOut() {
        let known = Revocation(session: "a", cause: .ended, until: 9)
        for text in ["ended a 9", "ended a 9,", ",ended a 9,ended a soon", "ended a 9,gone b 9, x,ended b,ended b 9 9"]
        {
            #expect(AuthAPI.Revocations.revocations(text: text) == [known], "\(text)")
        }
        for text in ["", " ", "ended", "ended a", "ended a 9.5", "ENDED a 9"] {
            #expect(AuthAPI.Revocations.revocations(text: text).isEmpty, "\(text)")
        }
    }
}
