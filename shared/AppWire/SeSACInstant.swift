package import FoundationEssentials

/// An instant as the SeSAC apps read it: `2025-10-11T08:30:00.123Z`, in UTC, always with milliseconds; without these their
/// parser takes now instead (Anlaka contract 1.4).
package struct SeSACInstant: Encodable, Sendable, Equatable {
    package var date: Date

    package init(_ date: Date) {
        self.date = date
    }

    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    package var text: String { date.formatted(Self.style) }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
