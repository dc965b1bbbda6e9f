/// The description of a setting for `--help`.
package struct SettingDeclaration: Sendable, Equatable {
    /// The environment variable.
    package let name: String
    package let meaning: String
    /// The default as written in the environment. If production requires a value of its own, this is the default in
    /// development.
    package let standard: String
    /// Whether production does not start without the setting.
    package let isRequired: Bool

    init(_ name: String, _ meaning: String, default standard: String, isRequired: Bool = false) {
        self.name = name
        self.meaning = meaning
        self.standard = standard
        self.isRequired = isRequired
    }

    /// Formats a default as it is written in the environment.
    package static func text(_ value: some Any) -> String {
        switch value {
        case let values as [String]: values.joined(separator: ",")
        case let value as any RawRepresentable<String>: value.rawValue
        case let value as any OptionalValue where value.isNone: ""
        case let value as Double where value == value.rounded() && abs(value) < 1e15: "\(Int64(value))"
        default: "\(value)"
        }
    }
}

private protocol OptionalValue {
    var isNone: Bool { get }
}

extension Optional: OptionalValue {
    fileprivate var isNone: Bool { self == nil }
}
