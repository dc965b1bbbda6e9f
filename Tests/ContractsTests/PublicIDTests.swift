import Contracts
import FoundationEssentials
import Testing

@Suite struct PublicIDTests {
    private static let text = "0123456789abcdef01234567"

    @Test(arguments: [
        "", "0123456789abcdef0123456", "0123456789abcdef012345678", "0123456789ABCDEF01234567",
        "0123456789abcdef0123456g", "0123456789abcdef0123456\0", "０123456789abcdef012345",
    ])
    func otherText_isNoID(text: String) {
        #expect(PublicID(rawValue: text) == nil)
        #expect(throws: ParsingFailed.self) { try PublicID(parsing: text, else: ParsingFailed()) }
        let json = #"["\#(text.replacing("\0", with: "\\u0000"))"]"#
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([PublicID].self, from: Data(json.utf8)) }
    }

    @Test func id_isItsTextInJSON() throws {
        let id = try PublicID(parsing: Self.text, else: ParsingFailed())
        #expect(id.rawValue == Self.text && "\(id)" == Self.text)
        let json = try JSONEncoder().encode([id])
        #expect(String(decoding: json, as: UTF8.self) == #"["\#(Self.text)"]"#)
        #expect(try JSONDecoder().decode([PublicID].self, from: json) == [id])
    }

    @Test func randomIDs_areDistinctIDs() {
        let ids = (0..<100).map { _ in PublicID.random() }
        #expect(Set(ids).count == ids.count)
        #expect(ids.allSatisfy { PublicID(rawValue: $0.rawValue) == $0 })
    }

    private struct ParsingFailed: Error {}
}
