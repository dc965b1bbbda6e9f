import ServiceKit

/// The values of parameters in the request of an example.
struct ExampleValues {
    private var values: [String: String] = [:]

    init(_ operation: APIOperation, _ example: Example?) {
        guard let request = example?.request else { return }
        let parts = request.path.split(separator: "?", maxSplits: 1)
        for (name, value) in zip(operation.path.split(separator: "/"), parts[0].split(separator: "/"))
        where name.hasPrefix("{") {
            values["path \(name.dropFirst().dropLast())"] = Self.decoded(value)
        }
        for pair in parts.dropFirst().flatMap({ $0.split(separator: "&") }) {
            let name = pair.prefix { $0 != "=" }
            values["query \(Self.decoded(name))"] = Self.decoded(pair.dropFirst(name.count + 1))
        }
        for (name, value) in request.headers ?? [:] { values["header \(name.lowercased())"] = value }
    }

    /// The value of a parameter; empty if the example has none.
    func value(of name: String, in place: String) -> String {
        values["\(place) \(place == "header" ? name.lowercased() : name)"] ?? ""
    }

    private static func decoded(_ text: Substring) -> String {
        String(text).replacing("+", with: " ").percentDecoded ?? String(text)
    }
}
