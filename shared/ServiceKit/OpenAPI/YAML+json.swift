import Values

extension YAML.Value {
    /// The value as JSON text; mappings keep their order.
    package var json: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .int(let value): String(value)
        case .double(let value): "\(value)"
        case .string(let value): JSONText.string(value)
        case .sequence(let items): "[\(items.map(\.json).joined(separator: ","))]"
        case .mapping(let pairs):
            "{\(pairs.map { "\(JSONText.string($0.key)):\($0.value.json)" }.joined(separator: ","))}"
        }
    }
}
