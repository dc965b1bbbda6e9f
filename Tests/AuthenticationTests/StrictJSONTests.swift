import Testing

@testable import Authentication

@Suite struct StrictJSONTests {
    @Test(arguments: [
        #"{}"#, #"{"a":1,"b":"a"}"#, #"{"a":{"a":1,"b":[{"b":1}]},"b":2}"#, #"{"a":"b","b":"a:"}"#,
        #"{"a" : "\"b\":", "b" : 1}"#, "\n{\t\"가\": [1, 2]\r\n} ", #"{"a":",}"}"#,
    ])
    func plainJSON_isAccepted(_ text: String) {
        #expect(StrictJSON.isStrict(Array(text.utf8)))
    }

    @Test(arguments: [
        #"{"a":1,"a":2}"#, #"{"a":1, "b":[1,{}], "a" :2}"#, #"{"s\u0075b":1}"#, #"{"a":"\\","a":1}"#,
        #"{"":1,"":2}"#,
    ])
    func duplicateNames_areRefused(_ text: String) {
        #expect(!StrictJSON.isStrict(Array(text.utf8)))
    }

    @Test(arguments: [
        #"{"a":1,}"#, #"{"a":[1,]}"#, "{\"a\":[1 ,\n] }", "{\"a\":\"\u{1}\"}", "{\"a\u{0}\":1}", "{\"a\":\"\n\"}",
        "{\u{c}\"a\":1}", "\u{feff}{}", "{}\u{0}", "{}{}", "{\"a\":1}]", "{\u{a0}}",
    ])
    func lenientJSON_isRefused(_ text: String) {
        #expect(!StrictJSON.isStrict(Array(text.utf8)))
    }

    @Test(
        arguments: [
            [0xff, 0xfe, 0x7b, 0, 0x7d, 0], [0x7b, 0, 0x7d, 0], [0, 0x7b, 0, 0x7d],
            [0x7b, 0x22, 0xc3, 0x22, 0x3a, 0x31, 0x7d], [0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d],
        ] as [[UInt8]]
    )
    func otherEncodings_areRefused(_ bytes: [UInt8]) {
        #expect(!StrictJSON.isStrict(bytes))
    }

    @Test(arguments: ["{\"", "{\"a\\", "{\"a\\\"", "\"", "}}{\"a\":1", "{\"a\":\"b\\"])
    func invalidJSON_isRefused(_ text: String) {
        #expect(!StrictJSON.isStrict(Array(text.utf8)))
    }
}
