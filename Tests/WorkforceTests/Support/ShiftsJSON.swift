import FoundationEssentials

/// Any JSON value, for comparing two texts regardless of the order of members.
enum ShiftsJSON: Decodable, Equatable {
    case null
    case bool(Bool)
    case number(Int)
    case text(String)
    case list([ShiftsJSON])
    case members([String: ShiftsJSON])

    init(_ text: String) throws { self = try JSONDecoder().decode(ShiftsJSON.self, from: Data(text.utf8)) }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([ShiftsJSON].self) {
            self = .list(value)
        } else {
            self = .members(try container.decode([String: ShiftsJSON].self))
        }
    }
}
