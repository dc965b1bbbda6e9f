import Contracts
import FoundationEssentials
import Values

/// Search for places by text, and names of positions (Anlaka contract 4.5).
struct Places: Sendable {
    let cache: PlaceCache
    let source: PlaceSource
    let quota: PlaceQuota

    /// Results per page and kind; a page has at most 30.
    static let sourcePage = 15
    static let queryLimit = 100
    /// Kakao's range of pages.
    static let pages = 1...45
    private static let searchFreshness: TimeInterval = 7 * 86_400
    private static let nameFreshness: TimeInterval = 30 * 86_400

    /// A page of search results: addresses, then places. Both searches run in parallel, and one may fail.
    ///
    /// - Throws: `EstateError.rule`, `.placesUnavailable`, `.placesExhausted`.
    func search(_ query: String, page: Int, by account: AccountID) async throws -> PlacePage {
        guard TypedText.isValid(query, limit: Self.queryLimit) else {
            throw EstateError.rule("query must have 1 to \(Self.queryLimit) characters that can be shown.")
        }
        guard Self.pages.contains(page) else {
            throw EstateError.rule("page must be from \(Self.pages.lowerBound) to \(Self.pages.upperBound).")
        }
        let text = query.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let spelling = text.lowercased()
        async let addresses = kept("address \(page) \(spelling)") {
            try await quota.take(by: account)
            return try await source.addresses(text, page)
        }
        async let keywords = kept("keyword \(page) \(spelling)") {
            try await quota.take(by: account)
            return try await source.keywords(text, page)
        }
        let pages = [try await addresses, try await keywords].compactMap(\.self)
        guard !pages.isEmpty else { throw EstateError.placesUnavailable }
        let places = Self.merge(pages.map(\.places))
        // A failed search may have results on the next page.
        let isWhole = pages.count == 2 || places.isEmpty
        return PlacePage(places: places, isEnd: isWhole && pages.allSatisfy(\.isEnd))
    }

    /// The name of a position, rounded to about ten metres; nil when it has none, as at sea.
    ///
    /// - Parameter account: nil for a background job.
    /// - Throws: `EstateError.placesUnavailable`, `.placesExhausted`.
    func name(of place: Coordinate, by account: AccountID?) async throws -> PlaceName? {
        let (row, column) = (Int((place.latitude * 1e4).rounded()), Int((place.longitude * 1e4).rounded()))
        let near = Coordinate(latitude: Double(row) / 1e4, longitude: Double(column) / 1e4)
        let named = try await cache.answer(to: "name \(row) \(column)", freshness: Self.nameFreshness) {
            try await quota.take(by: account)
            return Named(name: try await source.name(near))
        }
        return named.name
    }

    /// Concatenates lists, without duplicates of name and position.
    static func merge(_ lists: [[FoundPlace]]) -> [FoundPlace] {
        var seen: Set<[String]> = []
        return lists.joined().filter { seen.insert([$0.title, "\($0.longitude)", "\($0.latitude)"]).inserted }
    }

    /// nil when the provider is unavailable and nothing is cached.
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

    /// A cached name, or its absence.
    private struct Named: Codable, Sendable {
        var name: PlaceName?
    }
}
