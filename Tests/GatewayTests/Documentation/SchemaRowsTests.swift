import FoundationEssentials
import Testing

@testable import Gateway

struct SchemaRowsTests {
    private func reader(_ schemas: String = "{}") throws -> SchemaRows {
        SchemaRows(components: Components(document: try json(#"{"components":{"schemas":\#(schemas)}}"#)))
    }

    private func json(_ text: String) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    }

    private func lines(_ rows: [SchemaRows.Row]) -> [String] {
        rows.map { "\($0.depth) \($0.name)\($0.isRequired ? "!" : ""): \($0.type)" }
    }

    @Test func members_areRows_andTheirMembersBelow() throws {
        let reader = try reader(
            #"{"a.Part":{"type":"object","properties":{"id":{"type":"integer","format":"int64"}}}}"#
        )
        let rows = reader.rows(
            try json(
                """
                {"type":"object","required":["parts"],"properties":{
                    "parts":{"type":"array","items":{"$ref":"#/components/schemas/a.Part"}},
                    "note":{"type":["string","null"]}}}
                """
            )
        )
        #expect(lines(rows) == ["0 note: string or null", "0 parts!: array of Part", "1 id: integer (int64)"])
    }

    @Test func recursion_ends() throws {
        let reader = try reader(
            """
            {"Comment":{"type":"object","properties":{
                "replies":{"type":"array","items":{"$ref":"#/components/schemas/Comment"}}}}}
            """
        )
        let rows = reader.rows(try json(##"{"$ref":"#/components/schemas/Comment"}"##))
        #expect(lines(rows) == ["0 replies: array of Comment"])
    }

    @Test func partsAndChoices_areShown() throws {
        let reader = try reader(#"{"A":{"type":"object","properties":{"a":{"type":"string"}}}}"#)
        let whole = try json(
            ##"{"allOf":[{"$ref":"#/components/schemas/A"},{"required":["a"],"properties":{"b":{"const":1}}}]}"##
        )
        #expect(lines(reader.rows(whole)) == ["0 a!: string", "0 b: always 1"])
        let nullable = try json(##"{"anyOf":[{"$ref":"#/components/schemas/A"},{"type":"null"}]}"##)
        #expect(reader.type(nullable) == "A or null")
        #expect(lines(reader.rows(nullable)) == ["0 a: string"])
        let choice = try json(##"{"oneOf":[{"$ref":"#/components/schemas/A"},{"type":"string"}]}"##)
        #expect(lines(reader.rows(choice)) == ["0 either A: ", "1 a: string"])
    }

    @Test func notes_sayWhatIsAllowed() throws {
        let reader = try reader()
        #expect(
            reader.notes(try json(#"{"type":"integer","description":"How many.","minimum":1,"maximum":9,"default":5}"#))
                == ["How many.", "1 to 9.", "5 by default."]
        )
        #expect(
            reader.notes(try json(#"{"type":"string","enum":["a","b"],"maxLength":3,"pattern":"^x"}"#))
                == ["One of a, b.", "At most 3 characters.", "Matches ^x"]
        )
    }
}
