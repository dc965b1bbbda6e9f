import Apps
import AsyncHTTPClient
import ServiceKit
import Values

/// Kakao's API for addresses and places (Anlaka contract 6.3; Kakao's documentation of its local API).
struct KakaoLocalClient: Sendable {
    private let connection: ProviderConnection
    /// Secret; must not be logged.
    private let key: String

    init(url: String, key: String, http: HTTPClient = .untraced, timeout: Duration = .seconds(3)) {
        connection = ProviderConnection(provider: "Kakao", baseURL: url, http: http, timeout: timeout)
        self.key = key
    }

    var source: PlaceSource {
        PlaceSource(addresses: addresses, keywords: keywords, name: name)
    }

    /// - Throws: `ProviderUnavailable`, like the other methods.
    func addresses(_ text: String, _ page: Int) async throws -> PlacePage {
        try await self.page("/v2/local/search/address.json", text, page, KakaoAnswers.Address.self) { $0.found }
    }

    func keywords(_ text: String, _ page: Int) async throws -> PlacePage {
        try await self.page("/v2/local/search/keyword.json", text, page, KakaoAnswers.Place.self) { $0.found }
    }

    func name(_ place: Coordinate) async throws -> PlaceName? {
        let query = ["x": "\(place.longitude)", "y": "\(place.latitude)"]
        let answer = try await ask("/v2/local/geo/coord2address.json", query, KakaoAnswers.Spots.self)
        return answer.documents.first?.name
    }

    private func page<Document: Decodable>(
        _ path: String,
        _ text: String,
        _ page: Int,
        _ type: Document.Type,
        _ read: (Document) -> FoundPlace?
    ) async throws -> PlacePage {
        let size = Places.sourcePage
        let query = ["query": text, "page": "\(page)", "size": "\(size)"]
        let answer = try await ask(path, query, KakaoAnswers.Page<Document>.self)
        // Beyond the last page Kakao repeats the last one.
        let isBeyond = (page - 1) * size >= answer.meta.pageableCount
        return PlacePage(
            places: isBeyond ? [] : answer.documents.compactMap(read),
            isEnd: isBeyond || answer.meta.isEnd
        )
    }

    private func ask<Value: Decodable>(_ path: String, _ query: [String: String], _ type: Value.Type) async throws
        -> Value
    {
        let answer = try await connection.get(path, query: query, authorization: "KakaoAK \(key)")
        if answer.status == 401 || answer.status == 403 { throw connection.refusesUs(answer, path) }
        guard answer.status == 200, let value = answer.value(Value.self) else { throw connection.unavailable }
        return value
    }
}
