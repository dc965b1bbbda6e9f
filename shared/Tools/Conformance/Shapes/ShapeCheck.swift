package import Values

/// Compares JSON with the type that a contract gives it.
package enum ShapeCheck {
    /// - Parameter place: What leads to the value.
    package static func deviations(_ value: JSONTree, from type: FieldType, at place: String = "$") -> [Deviation] {
        switch (type, value) {
        case (.object(let object), .object(let members)): return deviations(members, from: object, at: place)
        case (.array(let element), .array(let elements)):
            return elements.enumerated().flatMap { deviations($1, from: element, at: "\(place)[\($0)]") }
        default:
            guard !fits(value, type) else { return [] }
            return [Deviation(place, expected: type.name, came: shown(value))]
        }
    }

    private static func fits(_ value: JSONTree, _ type: FieldType) -> Bool {
        switch (type, value) {
        case (.text(let form), .string(let text)): form.fits(text)
        case (.integer(let range), .number(let digits)): Int64(digits).map(range.contains) ?? false
        case (.number, .number), (.boolean, .bool), (.null, .null): true
        default: false
        }
    }

    private static func deviations(
        _ members: [JSONTree.Member],
        from type: ObjectType,
        at place: String
    ) -> [Deviation] {
        var all: [Deviation] = []
        for field in type.fields {
            let place = "\(place).\(field.name)"
            let values = members.filter { $0.name == field.name }
            if values.count > 1 { all.append(Deviation(place, expected: "one member", came: "\(values.count)")) }
            switch (values.first?.value, field.presence) {
            case (nil, .optional), (.null?, .nullable), (.null?, .optional): break
            case (nil, _): all.append(Deviation(place, expected: field.type.name, came: "nothing"))
            case (let value?, _): all += deviations(value, from: field.type, at: place)
            }
        }
        guard type.isOrdered else { return all }
        let expected = type.fields.map(\.name)
        let came = members.map(\.name).filter(expected.contains)
        if came != expected.filter(came.contains) {
            let (expected, came) = (expected.joined(separator: ", "), came.joined(separator: ", "))
            all.append(Deviation(place, expected: "the order \(expected)", came: came))
        }
        return all
    }

    /// The beginning of a value.
    private static func shown(_ value: JSONTree) -> String {
        switch value {
        case .string, .number, .bool, .null:
            let text = value.text
            return text.count > 60 ? "\(text.prefix(60))…" : text
        default: return value.kind
        }
    }
}
