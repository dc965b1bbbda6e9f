package import HTTPTypes
import Hummingbird
import HummingbirdTesting

/// What a service answers to a call that answers all callers alike, first and once more with the entity tag.
package struct CatalogueAnswer: Sendable, Equatable {
    package var status: HTTPResponse.Status
    package var tag: String?
    package var cacheControl: String?
    package var statusWithTag: HTTPResponse.Status
}

extension ServiceClient {
    package func catalogue(_ path: String) async throws -> CatalogueAnswer {
        let first = try await send(.get, path)
        var headers: HTTPFields = [:]
        headers[.ifNoneMatch] = first.headers[.eTag]
        return CatalogueAnswer(
            status: first.status,
            tag: first.headers[.eTag],
            cacheControl: first.headers[.cacheControl],
            statusWithTag: try await send(.get, path, headers: headers).status
        )
    }
}
