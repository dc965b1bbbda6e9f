import ServiceKit
import TestKit
import Testing
import Yams

/// The API documents that ship with the services.
@Suite struct APIDocumentTests {
    private static let documents = SourceTree.files("openapi.yaml", in: ["services"])

    @Test func documents_parseAsWithYams() throws {
        #expect(!Self.documents.isEmpty)
        for document in Self.documents {
            let ours = try Yams.load(yaml: YAML.parse(document.text).json)
            let theirs = try Yams.load(yaml: document.text)
            #expect(canonicalText(ours) == canonicalText(theirs), "\(document)")
        }
    }

    @Test func references_haveTargets() throws {
        for document in Self.documents {
            let value = try YAML.parse(document.text)
            for reference in Self.references(in: value) {
                let path = reference.split(separator: "/").dropFirst().map(String.init)
                let target = path.reduce(value as YAML.Value?) { $0?[$1] }
                #expect(target != nil, "\(document): \(reference)")
            }
        }
    }

    private static func references(in value: YAML.Value) -> [String] {
        switch value {
        case .sequence(let items): items.flatMap(references)
        case .mapping(let pairs):
            pairs.flatMap { pair -> [String] in
                if pair.key == "$ref", case .string(let reference) = pair.value { return [reference] }
                return references(in: pair.value)
            }
        default: []
        }
    }
}
