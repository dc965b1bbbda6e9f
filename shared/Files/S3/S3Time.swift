package import FoundationEssentials

/// A time in the format of `x-amz-date`: `20130524T000000Z`.
package struct S3Time: Sendable {
    package let text: String

    package init(_ date: Date) {
        let style = Date.ISO8601FormatStyle().year().month().day().dateSeparator(.omitted)
            .time(includingFractionalSeconds: false).timeSeparator(.omitted)
        text = date.formatted(style) + "Z"
    }

    /// nil if the text is not in this format.
    package static func date(_ text: String) -> Date? {
        guard text.utf8.count == 16, text.hasSuffix("Z") else { return nil }
        let style = Date.ISO8601FormatStyle().year().month().day().dateSeparator(.omitted)
            .time(includingFractionalSeconds: false).timeSeparator(.omitted)
        return try? style.parse(String(text.dropLast()))
    }
}
