import Values

extension CulturalEvent {
    /// The row in the app's format: the latitude in LOT and the longitude in LAT, since the app swaps them, empty
    /// without a position (Culture contract 5.1); links with https.
    var appRow: [String: String] {
        var row = fields
        row[Field.longitude.rawValue] = place.map { "\($0.latitude)" } ?? ""
        row[Field.latitude.rawValue] = place.map { "\($0.longitude)" } ?? ""
        for field in [Field.link, .image, .homepage] { row[field.rawValue] = link(field) }
        return row
    }

    /// The fields of a liked event in the app's order (Culture contract 4.3).
    private static let kept: [Field] = [
        .image, .title, .category, .start, .end, .place, .organization, .district, .longitude, .latitude, .fee, .isFree,
        .audience, .link,
    ]
    private static let separator = "$$$"

    /// The content of the post that the app would create for the event.
    var favouriteContent: String {
        let row = appRow
        return Self.kept
            .map { field in
                let text = row[field.rawValue] ?? ""
                // Replaces dollar signs that could be read as part of the separator.
                let isMistakable = text.contains(Self.separator) || text.hasSuffix("$")
                return isMistakable ? text.replacing("$", with: "＄") : text
            }
            .joined(separator: Self.separator)
    }

    /// An event from the content of a post; nil for content on which the app would fail.
    init?(favouriteContent: String) {
        let parts = favouriteContent.split(separator: Self.separator, omittingEmptySubsequences: false)
        guard parts.count >= Self.kept.count else { return nil }
        self.init(Dictionary(uniqueKeysWithValues: zip(Self.kept.map(\.rawValue), parts.map(String.init))))
    }
}
