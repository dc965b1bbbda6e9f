import Testing

@testable import Stack
@testable import StackKit

@Suite struct PhoneTests {
    @Test func shortText_truncatesTokensAndLongResponses() {
        let token = String(repeating: "aB3-_.", count: 20)
        #expect(Phone.short(#"{"accessToken":"\#(token)","id":1}"#) == #"{"accessToken":"aB3-_.aB3-_.…","id":1}"#)
        #expect(Phone.short("강남역") == "강남역")
        #expect(Phone.short(String(repeating: "가 ", count: 200)).count == 201)
    }

    @Test func json_isParsedAndEncoded() throws {
        let value = try #require(JSON(parsing: #"{"a": [1, "x", null, true, 1.5], "b": {"c": "d"}}"#.utf8))
        #expect(value["a"] == [1, "x", nil, true, .number(1.5)])
        #expect(value["a"]?[1]?.string == "x")
        #expect(value["a"]?[9] == nil)
        #expect(value["b"]?["c"] == "d")
        #expect(value["z"] == nil)
        #expect(try value["b"]?.text("c") == "d")
        #expect(throws: StackError.self) { try value.text("a") }
        #expect(JSON(parsing: "nonsense".utf8) == nil)
        #expect(String(decoding: try value.encoded(), as: UTF8.self) == #"{"a":[1,"x",null,true,1.5],"b":{"c":"d"}}"#)
    }
}
