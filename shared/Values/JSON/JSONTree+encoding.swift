extension JSONTree: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let flag): try container.encode(flag)
        case .number(let number):
            if let whole = Int64(number) {
                try container.encode(whole)
            } else if let value = Double(number), value.isFinite {
                try container.encode(value)
            } else {
                try container.encode(number)
            }
        case .string(let text): try container.encode(text)
        case .array(let values): try container.encode(values)
        case .object(let members):
            try container.encode(Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first })
        }
    }
}
