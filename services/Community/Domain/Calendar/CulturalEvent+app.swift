import Geography

extension CulturalEvent {
    /// The row as the app reads it: the latitude in LOT and the longitude in LAT, empty where there is none, since it swaps
    /// them back (Culture contract 5.1); links that it may open.
    var appRow: [String: String] {
        var row = fields
        row[Field.longitude.rawValue] = place.map { "\($0.latitude)" } ?? ""
        row[Field.latitude.rawValue] = place.map { "\($0.longitude)" } ?? ""
        for field in [Field.link, .image, .homepage] { row[field.rawValue] = link(field) }
        return row
    }

    /// What the app keeps of an event that somebody likes, in its order (Culture contract 4.3).
    private static let kept: [Field] = [
        .image, .title, .category, .start, .end, .place, .organization, .district, .longitude, .latitude, .fee, .isFree,
        .audience, .link,
    ]
    private static let separator = "$$$"

    /// The content of the post that the app would have made of it.
    var favouriteContent: String {
        let row = appRow
        return Self.kept
            .map { field in
                let text = row[field.rawValue] ?? ""
                // A wide dollar sign where a plain one would be taken for a part of the separator.
                let isMistakable = text.contains(Self.separator) || text.hasSuffix("$")
                return isMistakable ? text.replacing("$", with: "＄") : text
            }
            .joined(separator: Self.separator)
    }

    /// An event as the content of a post keeps it; nil for content that would make the app fail.
    init?(favouriteContent: String) {
        let parts = favouriteContent.split(separator: Self.separator, omittingEmptySubsequences: false)
        guard parts.count >= Self.kept.count else { return nil }
        self.init(Dictionary(uniqueKeysWithValues: zip(Self.kept.map(\.rawValue), parts.map(String.init))))
    }
}
