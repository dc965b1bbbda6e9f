import Values

extension ShapeCheck {
    /// Compares the body of an answer with the shape of a response.
    ///
    /// - Parameter name: The case that the answer has to be, of a response with several; nil for any.
    package static func deviations(_ body: [UInt8], from shape: ResponseShape, case name: String? = nil) -> [Deviation]
    {
        switch shape {
        case .unread: return []
        case .text(let text):
            // Some servers quote a text, and the two contracts write “ok” in two ways.
            let came = String(decoding: body, as: UTF8.self).replacing("\"", with: "").lowercased()
            guard let text, came != text.lowercased() else { return [] }
            return [Deviation("body", expected: "“\(text)”", came: beginning(of: body))]
        case .bytes: return body.isEmpty ? [Deviation("body", expected: "a file", came: "nothing")] : []
        case .html:
            let isPage = beginning(of: body).lowercased().contains("<!doctype html") || Self.isHTML(body)
            return isPage ? [] : [Deviation("body", expected: "a page", came: beginning(of: body))]
        case .json(let type):
            return tree(body).map { deviations($0, from: type) } ?? [noJSON(body)]
        case .cases(let cases):
            guard let value = tree(body) else { return [noJSON(body)] }
            let all = cases.filter { name == nil || $0.name == name }.map { deviations(value, from: $0.type) }
            return all.min { $0.count < $1.count } ?? []
        }
    }

    private static func tree(_ body: [UInt8]) -> JSONTree? { try? JSONTree(parsing: body) }

    private static func noJSON(_ body: [UInt8]) -> Deviation {
        Deviation("body", expected: "JSON", came: isHTML(body) ? "an HTML page" : beginning(of: body))
    }

    private static func isHTML(_ body: [UInt8]) -> Bool {
        let text = String(decoding: body.prefix(200), as: UTF8.self).lowercased()
        return text.contains("<html") || text.contains("<!doctype")
    }

    /// The first characters, for people.
    package static func beginning(of body: [UInt8]) -> String {
        let text = String(decoding: body, as: UTF8.self)
        return text.isEmpty ? "nothing" : text.count > 80 ? "\(text.prefix(80))…" : text
    }
}
