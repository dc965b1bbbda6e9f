/// Parses the types of the contracts' language: `string?`, `int64`, `enum A|B`, `[string]`, `instant|null`.
struct FieldTypeParser {
    /// A type with what may lack.
    struct Parsed: Equatable {
        var type: FieldType
        var presence: ObjectType.Presence
    }

    /// - Throws: `ConformanceError` that names the text that is not understood.
    static func parse(_ text: String) throws(ConformanceError) -> Parsed {
        if let array = try array(text) { return array }
        let (head, presence, rest) = split(text)
        guard let type = type(head, rest) else {
            throw ConformanceError("the type “\(text)” is not understood")
        }
        // The one member that is omitted for some answers.
        let isOmitted = rest.contains("key absent unless")
        return Parsed(type: type, presence: isOmitted ? .optional : presence)
    }

    /// `[string] never null`, `[user id]?`, `string[] newest first`.
    private static func array(_ text: String) throws(ConformanceError) -> Parsed? {
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            let inside = text[text.index(after: text.startIndex)..<end]
            let rest = text[text.index(after: end)...]
            let element: FieldType =
                if ["", "post id", "user id"].contains(inside) {
                    .text(.any)
                } else {
                    rest.contains("no leading slash") ? .text(.named(.path)) : try parse(String(inside)).type
                }
            return Parsed(type: .array(element), presence: rest.hasPrefix("?") ? .optional : .required)
        }
        guard text.hasPrefix("string[]") else { return nil }
        let form: TextForm = text.contains("D-CHIP") ? .named(.chipDay) : .any
        return Parsed(type: .array(.text(form)), presence: .required)
    }

    /// The first word, whether it may lack, and what follows it.
    private static func split(_ text: String) -> (head: String, presence: ObjectType.Presence, rest: String) {
        let withoutNull = text.replacing("|null", with: "")
        let isNullable = withoutNull != text
        let head = withoutNull.prefix { $0.isLetter || $0.isNumber }
        var rest = withoutNull.dropFirst(head.count)
        let isOptional = rest.hasPrefix("?")
        if isOptional { rest = rest.dropFirst() }
        let presence: ObjectType.Presence = isOptional ? .optional : isNullable ? .nullable : .required
        return (String(head), presence, rest.trimmed)
    }

    private static func type(_ head: String, _ rest: String) -> FieldType? {
        switch head {
        case "string": text(rest).map { .text($0) }
        case "enum": enumeration(rest).map { .text($0) }
        case "int", "int32": integer(rest, within: Int64(Int32.min)...Int64(Int32.max)).map { .integer($0) }
        case "int64", "long": integer(rest, within: Int64.min...Int64.max).map { .integer($0) }
        case "double", "number": ["", "m2", "metres"].contains(rest) ? .number : nil
        case "bool": rest.isEmpty || rest.hasPrefix("true") ? .boolean : nil
        case "null": .null
        case "date": .text(.named(.date))
        case "instant": .text(.named(.instant))
        case "localDateTime": .text(.named(.localTime))
        case "time": rest == "HH:mm" ? .text(.named(.timeOfDay)) : nil
        case "iso8601ms": .text(.named(.milliseconds))
        case "jwt": .text(.named(.token))
        default: literal(head, rest).map { .text($0) }
        }
    }

    private static func integer(_ rest: String, within all: ClosedRange<Int64>) -> ClosedRange<Int64>? {
        switch rest {
        case "", "seconds", "(gross)", ", -1 at the end", "(null for fixed pay)": all
        case "1..12": 1...12
        case "ms > 0": 1...all.upperBound
        default: nil
        }
    }

    /// `|paid|cancelled|failed` after `ready`, and texts that never change.
    private static func literal(_ head: String, _ rest: String) -> TextForm? {
        if rest.hasPrefix("|") { return .oneOf([head] + rest.dropFirst().split(separator: "|").map(String.init)) }
        return head == "WEBVIEW" ? .oneOf([head]) : nil
    }
}
