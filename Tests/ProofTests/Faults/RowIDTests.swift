import Testing

@testable import Proof

@Suite struct RowIDTests {
    private let before = RowIDs(tables: ["chat.messages": [1, 2, 3], "auth.accounts": [7]])

    @Test func rowsThatAreMissing_areNamed() {
        let restored = RowIDs(tables: ["chat.messages": [1, 9], "auth.accounts": [7]])
        let missing = before.missing(in: restored)
        #expect(missing.tables == ["chat.messages": [2, 3]])
        #expect(missing.sentence == "2 rows of chat.messages, the first with id 2")
    }

    @Test func rowsThatWereDeletedMeanwhile_areNotMissing() {
        let missing = before.missing(in: RowIDs(tables: ["chat.messages": [1], "auth.accounts": [7]]))
        let lost = missing.kept(in: RowIDs(tables: ["chat.messages": [1, 3, 4]]))
        #expect(lost.count == 1 && lost.sentence == "1 rows of chat.messages, the first with id 3")
    }

    @Test func tableThatIsNotRestored_isMissing() {
        #expect(before.missing(in: RowIDs(tables: [:])).count == before.count)
    }
}
