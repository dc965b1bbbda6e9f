import Values

/// Parses the responses of the contracts, of which each app's has its own notation.
struct ResponseParser {
    /// The names of cases, which look like members.
    private static let cases: Set<String> = [
        "worker", "owner", "summary", "detail", "workerDetail", "ownerDetail", "request", "cancel",
    ]

    /// - Parameter response: The contract's `response`.
    static func parse(_ response: JSONTree) throws(ConformanceError) -> ResponseShape {
        let members = response.members
        guard let first = members.first else { return .unread }
        switch first.name {
        case "_text", "(text)":
            let text = first.value.string ?? ""
            return .text(["string", "echo on /topic/hello"].contains(text) ? nil : text)
        case "html": return .html
        case "body": return .bytes
        // Frames of sockets, whose payload the other members are.
        case "frame": return members.count == 1 ? .unread : .json(try object(Array(members.dropFirst())))
        case "[]": return .json(.array(try type(first.value)))
        case "(array)": return .json(try type(first.value))
        default: break
        }
        if members.allSatisfy({ cases.contains($0.name) }) {
            var all: [ResponseShape.Case] = []
            for member in members { all.append(.init(name: member.name, type: try type(member.value))) }
            return .cases(all)
        }
        return .json(try object(members))
    }

    /// The type of a member whose value is itself written as JSON.
    private static func type(_ value: JSONTree) throws(ConformanceError) -> FieldType {
        switch value {
        case .string(let text): return try FieldTypeParser.parse(text).type
        case .object(let members): return try object(members)
        case .array(let elements):
            guard elements.count == 1 else { throw ConformanceError("an array has one type, not \(elements.count)") }
            return .array(try type(elements[0]))
        default: throw ConformanceError("\(value.text) is no type")
        }
    }

    private static func object(_ members: [JSONTree.Member]) throws(ConformanceError) -> FieldType {
        var object = ObjectType(fields: [])
        // `?` describes the object that contains it.
        for member in members where member.name != "?" {
            do {
                try insert(member.name.split(separator: ".")[...], member.value, into: &object)
            } catch {
                throw ConformanceError("\(member.name): \(error)")
            }
        }
        return .object(object)
    }

    /// Adds a member whose name may be a path: `posts[].title`.
    private static func insert(
        _ path: ArraySlice<Substring>,
        _ value: JSONTree,
        into object: inout ObjectType
    ) throws(ConformanceError) {
        guard let first = path.first else { throw ConformanceError("a member has no name") }
        guard path.count > 1 else {
            object.fields.append(try field(String(first), value))
            return
        }
        let isArray = first.hasSuffix("[]")
        let name = isArray ? String(first.dropLast(2)) : String(first)
        var inner = ObjectType(fields: [])
        let index = object.fields.firstIndex { $0.name == name }
        if let index {
            switch object.fields[index].type {
            case .object(let own), .array(.object(let own)): inner = own
            default: throw ConformanceError("\(name) is a value and an object")
            }
        }
        try insert(path.dropFirst(), value, into: &inner)
        let type: FieldType = isArray ? .array(.object(inner)) : .object(inner)
        if let index {
            object.fields[index].type = type
        } else {
            object.fields.append(.init(name: name, type: type, presence: .required))
        }
    }

    private static func field(_ name: String, _ value: JSONTree) throws(ConformanceError) -> ObjectType.Field {
        if case .string(let text) = value {
            let parsed = try FieldTypeParser.parse(text)
            return .init(name: name, type: parsed.type, presence: parsed.presence)
        }
        let isOptional = name.hasSuffix("?")
        let presence: ObjectType.Presence = isOptional ? .optional : value["?"] != nil ? .nullable : .required
        return .init(name: isOptional ? String(name.dropLast()) : name, type: try type(value), presence: presence)
    }
}
