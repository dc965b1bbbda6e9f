/// The arguments of a text. A text must also be complete without a missing or undisplayable argument.
struct TextArguments: Sendable {
    private let values: [String]

    init(_ values: [String]) {
        self.values = values
    }

    /// The argument at an index, as one line; nil when there is none.
    subscript(place: Int) -> String? {
        guard values.indices.contains(place) else { return nil }
        let shown = ShownText.line(values[place])
        return shown.contains { !$0.isWhitespace } ? shown : nil
    }
}
