/// What a member of a response may be.
package indirect enum FieldType: Sendable, Equatable {
    case text(TextForm)
    /// A number without a fraction, in a range.
    case integer(ClosedRange<Int64>)
    /// Any number.
    case number
    case boolean
    case null
    case array(FieldType)
    case object(ObjectType)

    package var name: String {
        switch self {
        case .text(let form): form.name
        case .integer(let range):
            range == Int64.min...Int64.max ? "an integer" : "an integer from \(range.lowerBound) to \(range.upperBound)"
        case .number: "a number"
        case .boolean: "a boolean"
        case .null: "null"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// The members of an object that the contract names; others may be there as well.
package struct ObjectType: Sendable, Equatable {
    package var fields: [Field]
    /// Whether the members stand in this order.
    package var isOrdered = false

    package struct Field: Sendable, Equatable {
        package var name: String
        package var type: FieldType
        package var presence: Presence
    }

    /// Whether a member may lack its value.
    package enum Presence: Sendable, Equatable {
        case required
        /// The member is there; its value may be null.
        case nullable
        /// The member may be absent, or null.
        case optional
    }
}
