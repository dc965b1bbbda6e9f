import Contracts
import FoundationEssentials
import TestKit
import Testing

@Suite struct IdentifiersTests {
    private struct Body: Codable, Equatable {
        var account: AccountID
        var posts: [CompanionPostID]
        var shift: ShiftID?
    }

    @Test func ids_areNumbersInJSON() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let body = Body(account: 9_223_372_036_854_775_807, posts: [7, -1], shift: nil)
        let json = #"{"account":9223372036854775807,"posts":[7,-1]}"#
        #expect(String(decoding: try encoder.encode(body), as: UTF8.self) == json)
        #expect(try JSONDecoder().decode(Body.self, from: Data(json.utf8)) == body)
    }

    @Test(arguments: [#""7""#, "7.5", "null", "9223372036854775808", "[7]"]) func otherJSON_isNoID(json: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([TicketID].self, from: Data("[\(json)]".utf8)) }
    }

    @Test func text_isDecimalNumber() {
        #expect(RoomID("12") == 12 && RoomID("-3") == RoomID(rawValue: -3) && "\(RoomID(rawValue: 12))" == "12")
        for text in ["", " 1", "1a", "0x1", "1.0", "9223372036854775808"] { #expect(RoomID(text) == nil, "\(text)") }
    }
}
