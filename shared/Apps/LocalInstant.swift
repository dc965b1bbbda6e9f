package import FoundationEssentials

/// A time in SeatCatcher's format for its list of alarms (contract 1.3), and With Suhyeon's for chat (contract 1.1,
/// `D-LOCAL-OUT`): in UTC, without a zone, always with milliseconds.
package struct LocalInstant: Encodable, Sendable, Equatable {
    package let text: String

    package init(_ date: Date) {
        text = String(SeSACInstant(date).text.dropLast())
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
