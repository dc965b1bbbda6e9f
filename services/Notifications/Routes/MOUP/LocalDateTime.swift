import Apps
import FoundationEssentials
import Values

/// An instant in MOUP's lists (contract 1.1, `localDateTime`): local time of Korea, without fraction and zone.
struct LocalDateTime: Encodable, Sendable, Equatable {
    let text: String

    init(_ date: Date) {
        let wall = SeoulTime.wholeSeconds(date) + Double(SeoulTime.offset)
        text = String(SeSACInstant(wall).text.prefix(19))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
