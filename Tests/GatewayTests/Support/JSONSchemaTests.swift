import FoundationEssentials
import Testing

@testable import Gateway

struct JSONSchemaTests {
    @Test(arguments: [
        (#"{"type":"integer"}"#, "1", true), (#"{"type":"integer"}"#, #""1""#, false),
        (#"{"type":["string","null"]}"#, "null", true), (#"{"type":"number","minimum":2}"#, "1.5", false),
        (#"{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}}"#, "{}", false),
        (#"{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}"#, #"{"b":1}"#, false),
        (#"{"type":"array","items":{"enum":["x"]}}"#, #"["x","y"]"#, false),
        (#"{"oneOf":[{"type":"string"},{"const":1}]}"#, "1", true),
        (#"{"oneOf":[{"type":"integer"},{"const":1}]}"#, "1", false),
        (#"{"allOf":[{"type":"integer"},{"maximum":3}]}"#, "4", false),
        (##"{"$ref":"#/components/schemas/A"}"##, "true", true),
        (##"{"$ref":"#/components/schemas/A"}"##, "1", false),
        (#"{"type":"string","pattern":"^[0-9]{2}$"}"#, #""123""#, false),
    ])
    func values_areValidByTheirSchema(schema: String, value: String, isValid: Bool) throws {
        let document = #"{"components":{"schemas":{"A":{"type":"boolean"}}}}"#
        let read = { (text: String) in try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) }
        let faults = JSONSchema(components: Components(document: try read(document)))
            .faults(try read(value), try read(schema))
        #expect(faults.isEmpty == isValid, "\(faults)")
    }
}
