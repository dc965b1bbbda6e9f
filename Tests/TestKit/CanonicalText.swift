/// A value of a document, written so that two readers of it can be compared.
package func canonicalText(_ value: Any?) -> String {
    switch value {
    case let map as [String: Any]:
        "{\(map.sorted { $0.key < $1.key }.map { "\($0.key):\(canonicalText($0.value))" }.joined(separator: ","))}"
    case let list as [Any]: "[\(list.map(canonicalText).joined(separator: ","))]"
    case let text as String: "\"\(text)\""
    case let bool as Bool: bool ? "true" : "false"
    case let number?: "\(number)"
    case nil: "null"
    }
}
