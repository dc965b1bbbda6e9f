import Testing

@testable import Authentication

@Suite struct JSONNamesTests {
    @Test(arguments: [
        #"{}"#, #"{"a":1,"b":"a"}"#, #"{"a":{"a":1,"b":[{"b":1}]},"b":2}"#, #"{"a":"b","b":"a:"}"#, #"["a","a"]"#, "",
        #"{"a" : "\"b\":", "b" : 1}"#,
    ])
    func uniqueNames_areAccepted(_ text: String) {
        #expect(JSONNames.areUnique(inObject: Array(text.utf8)))
    }

    @Test(arguments: [
        #"{"a":1,"a":2}"#, #"{"a":1, "b":[1,{}], "a" :2}"#, #"{"s\u0075b":1}"#, #"{"a":"\\","a":1}"#,
        #"{"":1,"":2}"#,
    ])
    func duplicateNames_areRefused(_ text: String) {
        #expect(!JSONNames.areUnique(inObject: Array(text.utf8)))
    }

    @Test(arguments: ["{\"", "{\"a\\", "{\"a\\\"", "\"", "}}{\"a\":1"])
    func invalidJSON_doesNotCrash(_ text: String) {
        _ = JSONNames.areUnique(inObject: Array(text.utf8))
    }
}
