import ServiceHost
import Testing
import Yams

/// The API documents that ship with the services.
@Suite struct APIDocumentTests {
    private static let documents = SourceTree.files("openapi.yaml", in: ["services"])

    @Test func readAsEveryOtherReaderReadsThem() throws {
        #expect(!Self.documents.isEmpty)
        for document in Self.documents {
            let ours = try Yams.load(yaml: YAML.parse(document.text).json)
            let theirs = try Yams.load(yaml: document.text)
            #expect(Self.canonical(ours) == Self.canonical(theirs), "\(document)")
        }
    }

    @Test func everyReferenceLeadsSomewhere() throws {
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

    private static func canonical(_ value: Any?) -> String {
        switch value {
        case let map as [String: Any]:
            "{\(map.sorted { $0.key < $1.key }.map { "\($0.key):\(canonical($0.value))" }.joined(separator: ","))}"
        case let list as [Any]: "[\(list.map(canonical).joined(separator: ","))]"
        case let text as String: "\"\(text)\""
        case let bool as Bool: bool ? "true" : "false"
        case let number?: "\(number)"
        case nil: "null"
        }
    }
}
