import TestKit
import Testing
import Yams

@testable import YAMLToJSON

/// The API documents that ship with the services.
@Suite struct APIDocumentTests {
    private static let documents = SourceTree.files("openapi.yaml", in: ["services"])

    @Test func documents_areConvertedAsYamsReadsThem() throws {
        #expect(!Self.documents.isEmpty)
        for document in Self.documents {
            let ours = try Yams.load(yaml: JSONDocument(yaml: document.text).text)
            let theirs = try Yams.load(yaml: document.text)
            #expect(canonicalText(ours) == canonicalText(theirs), "\(document)")
        }
    }

    @Test func references_haveTargets() throws {
        for document in Self.documents {
            let value = try JSONDocument(yaml: document.text)
            for reference in Self.references(in: value) {
                let path = reference.split(separator: "/").dropFirst().map(String.init)
                let target = path.reduce(value as JSONDocument?) { value, name in
                    guard case .object(let members) = value else { return nil }
                    return members[name]
                }
                #expect(target != nil, "\(document): \(reference)")
            }
        }
    }

    private static func references(in value: JSONDocument) -> [String] {
        switch value {
        case .array(let items): items.flatMap(references)
        case .object(let members):
            members.flatMap { name, value -> [String] in
                if name == "$ref", case .string(let reference) = value { return [reference] }
                return references(in: value)
            }
        default: []
        }
    }
}
