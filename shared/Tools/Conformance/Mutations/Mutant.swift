package import Values

/// A recorded answer of which one thing has been changed.
package struct Mutant: Sendable {
    package enum Kind: String, Sendable, CaseIterable, Codable {
        /// A member is left out.
        case drop
        case null
        /// A value is of another type: a number instead of a text, an array instead of an object.
        case retype
        /// A member has another name.
        case rename
        /// An object's members stand in the opposite order.
        case reorder
    }

    /// `data[].title`; empty for the whole answer.
    package var field: String
    package var kind: Kind
    package var answer: JSONTree
    /// Whether the app cannot read it, by the contract.
    package var breaks: Bool
}

extension Mutant {
    /// All mutants of an answer.
    ///
    /// - Parameter type: What the contract says of it; members that it does not name are not read by the app.
    package static func all(of answer: JSONTree, _ type: FieldType) -> [Mutant] {
        var maker = MutantMaker()
        maker.change(answer, type, at: "") { $0 }
        return maker.mutants
    }
}

private struct MutantMaker {
    var mutants: [Mutant] = []

    /// - Parameter rebuild: The whole answer with another value at this place.
    mutating func change(
        _ value: JSONTree,
        _ type: FieldType?,
        at place: String,
        _ rebuild: @escaping (JSONTree) -> JSONTree
    ) {
        switch value {
        case .object(let members): change(members, type, at: place, rebuild)
        case .array(let elements):
            guard let first = elements.first else { return }
            let rest = elements.dropFirst()
            var element: FieldType?
            if case .array(let own)? = type { element = own }
            let place = "\(place)[]"
            for (kind, changed) in [(Mutant.Kind.null, JSONTree.null), (.retype, first.retyped)] where first != .null {
                add(place, kind, rebuild(.array([changed] + rest)), breaks: element != nil)
            }
            change(first, element, at: place) { rebuild(.array([$0] + rest)) }
        default: break
        }
    }

    private mutating func change(
        _ members: [JSONTree.Member],
        _ type: FieldType?,
        at place: String,
        _ rebuild: @escaping (JSONTree) -> JSONTree
    ) {
        var fields: [ObjectType.Field] = []
        if case .object(let object)? = type { fields = object.fields }
        if members.count > 1 { add(place, .reorder, rebuild(.object(members.reversed())), breaks: false) }
        for (index, member) in members.enumerated() {
            let field = fields.first { $0.name == member.name }
            let place = place.isEmpty ? member.name : "\(place).\(member.name)"
            let isRequired = field?.presence == .required && field?.type != .null
            func with(_ changed: JSONTree.Member?) -> JSONTree {
                var all = members
                all.replaceSubrange(index...index, with: changed.map { [$0] } ?? [])
                return rebuild(.object(all))
            }
            add(place, .drop, with(nil), breaks: isRequired)
            add(place, .rename, with(.init("\(member.name)Other", member.value)), breaks: isRequired)
            guard member.value != .null else { continue }
            add(place, .null, with(.init(member.name, .null)), breaks: isRequired)
            add(place, .retype, with(.init(member.name, member.value.retyped)), breaks: field != nil)
            change(member.value, field?.type, at: place) { with(.init(member.name, $0)) }
        }
    }

    private mutating func add(_ place: String, _ kind: Mutant.Kind, _ answer: JSONTree, breaks: Bool) {
        mutants.append(Mutant(field: place, kind: kind, answer: answer, breaks: breaks))
    }
}

extension JSONTree {
    /// A value of another type.
    fileprivate var retyped: JSONTree {
        switch self {
        case .string, .null: .number("7")
        case .number, .bool: .string("7")
        case .array: .object([])
        case .object: .array([])
        }
    }
}
