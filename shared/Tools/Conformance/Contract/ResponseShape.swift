/// What the body of a successful response is.
package enum ResponseShape: Sendable, Equatable {
    /// Anything, or nothing: the app reads no body.
    case unread
    /// A text; nil for any.
    case text(String?)
    /// A file.
    case bytes
    case html
    case json(FieldType)
    /// JSON that depends on the user or the request, by the contract's name for the case.
    case cases([Case])

    package struct Case: Sendable, Equatable {
        package var name: String
        package var type: FieldType
    }

    /// The types of the JSON that the response may be.
    package var types: [FieldType] {
        switch self {
        case .json(let type): [type]
        case .cases(let cases): cases.map(\.type)
        default: []
        }
    }
}
