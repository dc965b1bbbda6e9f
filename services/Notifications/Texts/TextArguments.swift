/// What a text is filled with. Where something is missing, or cannot be shown, a text says what it can without it.
struct TextArguments: Sendable {
    private let values: [String]

    init(_ values: [String]) {
        self.values = values
    }

    /// The value at a place, in one line; nil when there is none.
    subscript(place: Int) -> String? {
        guard values.indices.contains(place) else { return nil }
        let shown = ShownText.line(values[place])
        return shown.contains { !$0.isWhitespace } ? shown : nil
    }
}
