import Contracts
import Testing
import Values

@testable import Conformance

struct ShapeCheckTests {
    private static let type = FieldType.object(
        ObjectType(
            fields: [
                .init(name: "id", type: .integer(1...9), presence: .required),
                .init(name: "name", type: .text(.atMost(3)), presence: .nullable),
                .init(name: "note", type: .text(.any), presence: .optional),
                .init(name: "tags", type: .array(.text(.prefixed("A"))), presence: .required),
            ],
            isOrdered: true
        )
    )

    @Test(arguments: [
        #"{"id":1,"name":"abc","note":"x","tags":["A"]}"#, #"{"id":1,"name":null,"tags":[]}"#,
        #"{"id":1,"name":null,"note":null,"tags":[],"more":[1]}"#,
    ])
    func goodAnswer_hasNoDeviation(_ text: String) throws {
        #expect(ShapeCheck.deviations(try JSONTree(parsing: text.utf8), from: Self.type) == [])
    }

    @Test(arguments: [
        (#"{"name":"a","tags":[]}"#, "$.id"), (#"{"id":"1","name":"a","tags":[]}"#, "$.id"),
        (#"{"id":1.5,"name":"a","tags":[]}"#, "$.id"), (#"{"id":10,"name":"a","tags":[]}"#, "$.id"),
        (#"{"id":1,"tags":[]}"#, "$.name"), (#"{"id":1,"name":"abcd","tags":[]}"#, "$.name"),
        (#"{"id":1,"name":"a","tags":["A","B"]}"#, "$.tags[1]"), (#"{"id":1,"name":"a","tags":null}"#, "$.tags"),
        (#"{"id":1,"name":"a","tags":{}}"#, "$.tags"), (#"{"id":1,"id":1,"name":"a","tags":[]}"#, "$.id"),
        (#"{"name":"a","id":1,"tags":[]}"#, "$"), ("[]", "$"),
    ])
    func badAnswer_isNamedByItsPlace(_ text: String, _ place: String) throws {
        let deviations = ShapeCheck.deviations(try JSONTree(parsing: text.utf8), from: Self.type)
        #expect(deviations.contains { $0.place == place }, "\(deviations)")
    }

    @Test func page_inPlaceOfJSON_isSaidToBeOne() {
        let body = Array("<!DOCTYPE html><html></html>".utf8)
        let deviations = ShapeCheck.deviations(body, from: .json(Self.type))
        #expect(deviations == [Deviation("body", expected: "JSON", came: "an HTML page")])
        #expect(ShapeCheck.deviations(body, from: .html) == [])
    }

    @Test func texts_areComparedWithoutQuotesAndCase() {
        #expect(ShapeCheck.deviations(Array("\"ok\"".utf8), from: .text("OK")) == [])
        #expect(ShapeCheck.deviations(Array("down".utf8), from: .text("OK")).count == 1)
    }

    @Test func cases_areComparedWithTheNearest() {
        let one = ResponseShape.Case(name: "one", type: Self.type)
        let two = ResponseShape.Case(name: "two", type: .array(.boolean))
        #expect(ShapeCheck.deviations(Array("[true]".utf8), from: .cases([one, two])) == [])
        #expect(ShapeCheck.deviations(Array("[true]".utf8), from: .cases([one, two]), case: "one") != [])
    }

    @Test func refusals_haveTheAppsForm() {
        let envelope = Array(#"{"errorCode":"POST_006","message":"x","result":null}"#.utf8)
        #expect(RefusalShape.deviations(envelope, of: .withsuhyeon, status: 410, code: "POST_006") == [])
        #expect(RefusalShape.deviations(envelope, of: .withsuhyeon, status: 410, code: "POST_005").count == 1)
        #expect(RefusalShape.deviations(envelope, of: .moup, status: 404) != [])
        #expect(RefusalShape.deviations([], of: .moup, status: 401) == [])
        #expect(RefusalShape.deviations([], of: .anlaka, status: 401) != [])
    }
}
