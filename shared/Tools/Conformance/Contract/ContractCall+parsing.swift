package import Contracts
package import Values

extension ContractCall {
    /// Parses an entry of a contract.
    package init(_ entry: JSONTree, of app: App) throws(ConformanceError) {
        guard let kind = entry["kind"]?.string.flatMap(Kind.init) else { throw ConformanceError("the kind is unknown") }
        guard let method = entry["method"]?.string, let path = entry["path"]?.string else {
            throw ConformanceError("there is no method or path")
        }
        guard case .bool(let needsToken)? = entry["auth"], case .bool(let isUsed)? = entry["used_by_ios"] else {
            throw ConformanceError("auth and used_by_ios are not there")
        }
        let usual = entry["success"]?.integer.map { [Int($0)] } ?? []
        let others = (entry["alternateSuccess"]?.members ?? []).compactMap { Int($0.name) }
        // A path of another server is served without its address.
        let local = path.firstMatch(of: /^https?:\/\/[^\/]+/).map { String(path[$0.range.upperBound...]) } ?? path
        self.init(
            app: app,
            kind: kind,
            method: method,
            path: local,
            needsToken: needsToken,
            role: entry["role"]?.string.flatMap { $0 == "any" ? nil : $0 },
            request: try Self.fields(entry["request"]?.members ?? []),
            response: try Self.response(entry["response"] ?? .null, app, kind, usual.first),
            success: usual + others,
            refusals: try Self.refusals(entry),
            isUsed: isUsed,
            feature: entry["feature"]?.string ?? ""
        )
    }

    // MARK: Requests

    private static func fields(_ members: [JSONTree.Member]) throws(ConformanceError) -> [RequestField] {
        var fields: [RequestField] = []
        for member in members { fields.append(try field(member)) }
        return fields
    }

    /// `query limit`, `body.title`, or a member of the body.
    private static func field(_ member: JSONTree.Member) throws(ConformanceError) -> RequestField {
        for place in RequestField.Place.allCases {
            for separator in [" ", "."] {
                guard let name = member.name.stripping(place.rawValue + separator) else { continue }
                return RequestField(place: place, name: name, rule: member.value.string ?? member.value.text)
            }
        }
        switch member.value {
        case .string(let rule): return RequestField(place: .body, name: member.name, rule: rule)
        case .object, .array: return RequestField(place: .body, name: member.name, rule: member.value.text)
        default: throw ConformanceError("the request's \(member.name) is no type")
        }
    }

    // MARK: Responses

    private static func response(
        _ response: JSONTree,
        _ app: App,
        _ kind: Kind,
        _ status: Int?
    ) throws(ConformanceError) -> ResponseShape {
        if status == 204 { return .unread }
        let shape = try ResponseParser.parse(response)
        guard app == .withsuhyeon, kind == .rest, case .json(.object(let body)) = shape else { return shape }
        // With Suhyeon's envelope, whose members have an order (With Suhyeon contract 1.1).
        let own: [ObjectType.Field] = [
            .init(name: "errorCode", type: .null, presence: .required),
            .init(name: "message", type: .text(.oneOf(["SUCCESS"])), presence: .required),
        ]
        return .json(.object(ObjectType(fields: own + body.fields, isOrdered: true)))
    }

    // MARK: Refusals

    /// `401`, `"404 POST_006"`, and MOUP's codes, which end in their status.
    private static func refusals(_ entry: JSONTree) throws(ConformanceError) -> [Refusal] {
        let codes = (entry["errorCodes"]?.elements ?? []).compactMap(\.string)
        var refusals: [Refusal] = []
        for error in entry["errors"]?.elements ?? [] {
            if let status = error.integer {
                let own = codes.filter { $0.hasSuffix("_\(status)") }
                refusals +=
                    own.isEmpty
                    ? [Refusal(status: Int(status))] : own.map { Refusal(status: Int(status), code: $0) }
            } else if let text = error.string {
                let words = text.split(separator: " ")
                // How a socket ends is a sentence.
                guard let status = words.first.flatMap({ Int($0) }) else { continue }
                guard words.count == 2 else { throw ConformanceError("the error “\(text)” is not understood") }
                refusals.append(Refusal(status: status, code: String(words[1])))
            } else {
                throw ConformanceError("the error \(error.text) is not understood")
            }
        }
        return refusals
    }
}
