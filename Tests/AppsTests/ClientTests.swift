import AppClients
import Apps
import FoundationEssentials
import Testing

@Suite struct ClientTests {
    @Test func json_isParsedAndEncoded() throws {
        let value = try #require(JSON(parsing: #"{"a": [1, "x", null, true, 1.5], "b": {"c": "d"}}"#.utf8))
        #expect(value["a"] == [1, "x", nil, true, .number(1.5)])
        #expect(value["a"]?[1]?.string == "x")
        #expect(value["a"]?[9] == nil)
        #expect(value["b"]?["c"] == "d")
        #expect(value["z"] == nil)
        #expect(try value["b"]?.text("c") == "d")
        #expect(throws: ClientError.self) { try value.text("a") }
        #expect(JSON(parsing: "nonsense".utf8) == nil)
        #expect(String(decoding: try value.encoded(), as: UTF8.self) == #"{"a":[1,"x",null,true,1.5],"b":{"c":"d"}}"#)
    }

    @Test func path_withVariables_getsValuesInOrder() {
        #expect(SeatCatcher().searchStations.path(with: []) == "/stations")
        #expect(SeatCatcher().yieldSeat.path(with: ["7"]) == "/user/seats/7/yield")
        #expect(Anlaka().updateComment.path(with: ["a", "b"]) == "/v1/posts/a/comments/b")
    }
}
