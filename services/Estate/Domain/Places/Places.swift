import FoundationEssentials
import Geography
import TypedText

/// The search for places by what people type, and their names by where they are (Anlaka contract 4.5).
struct Places: Sendable {
    let cache: PlaceCache
    let source: PlaceSource

    /// Results of either kind on one page, so that a page has at most 30.
    static let sourcePage = 15
    static let queryLimit = 100
    /// Pages that Kakao has.
    static let pages = 1...45
    private static let searchFreshness: TimeInterval = 7 * 86_400
    private static let nameFreshness: TimeInterval = 30 * 86_400

    /// What a text finds: addresses first, then places. Both are asked for at once, and one that fails does not take the
    /// other along.
    ///
    /// - Throws: `EstateError.rule`, `.placesUnavailable`.
    func search(_ query: String, page: Int) async throws -> PlacePage {
        guard TypedText.isFine(query, limit: Self.queryLimit) else {
            throw EstateError.rule("query must have 1 to \(Self.queryLimit) characters that can be shown.")
        }
        guard Self.pages.contains(page) else {
            throw EstateError.rule("page must be from \(Self.pages.lowerBound) to \(Self.pages.upperBound).")
        }
        let text = query.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let spelling = text.lowercased()
        async let addresses = kept("address \(page) \(spelling)") { try await source.addresses(text, page) }
        async let keywords = kept("keyword \(page) \(spelling)") { try await source.keywords(text, page) }
        let pages = [try await addresses, try await keywords].compactMap(\.self)
        guard !pages.isEmpty else { throw EstateError.placesUnavailable }
        let places = Self.merge(pages.map(\.places))
        // What did not answer may have more on the next page.
        let isWhole = pages.count == 2 || places.isEmpty
        return PlacePage(places: places, isEnd: isWhole && pages.allSatisfy(\.isEnd))
    }

    /// What a place is called, to some ten metres; nil where nothing is, as at sea.
    ///
    /// - Throws: `EstateError.placesUnavailable`.
    func name(of place: Coordinate) async throws -> PlaceName? {
        let (row, column) = (Int((place.latitude * 1e4).rounded()), Int((place.longitude * 1e4).rounded()))
        let near = Coordinate(latitude: Double(row) / 1e4, longitude: Double(column) / 1e4)
        let named = try await cache.answer(to: "name \(row) \(column)", freshness: Self.nameFreshness) {
            Named(name: try await source.name(near))
        }
        return named.name
    }

    /// Lists one after the other, without what has the same name at the same place.
    static func merge(_ lists: [[FoundPlace]]) -> [FoundPlace] {
        var seen: Set<[String]> = []
        return lists.joined().filter { seen.insert([$0.title, "\($0.longitude)", "\($0.latitude)"]).inserted }
    }

    /// nil when there is no answer.
    private func kept(
        _ question: String,
        _ ask: @escaping @Sendable () async throws -> PlacePage
    ) async throws -> PlacePage? {
        do {
            return try await cache.answer(to: question, freshness: Self.searchFreshness, ask)
        } catch EstateError.placesUnavailable {
            return nil
        }
    }

    /// A name, or that there is none.
    private struct Named: Codable, Sendable {
        var name: PlaceName?
    }
}
