package import AsyncHTTPClient
import FoundationEssentials
import Logging
import NIOCore
import NIOHTTP1
import Tracing

/// Calls the HTTP API of an external provider, with limits on time and size and uniform errors. Calls are not retried,
/// because authorization codes can be used once only.
package struct ProviderConnection: Sendable {
    /// The provider's name for messages: `Kakao`.
    let provider: String
    let baseURL: String
    let http: HTTPClient
    /// The timeout of a response, to its last byte.
    let timeout: Duration

    /// The maximum size of a response, in bytes.
    let limit: Int

    package init(
        provider: String,
        baseURL: String,
        http: HTTPClient,
        timeout: Duration = .seconds(5),
        limit: Int = 1 << 20
    ) {
        self.provider = provider
        self.baseURL = baseURL
        self.http = http
        self.timeout = timeout
        self.limit = limit
    }

    package func get(
        _ path: String,
        query: [String: String] = [:],
        authorization: String? = nil
    ) async throws -> ProviderAnswer {
        let path = query.isEmpty ? path : "\(path)?\(FormText.encode(query))"
        return try await send(.GET, path, authorization, type: nil, body: nil)
    }

    package func post(
        _ path: String,
        form: [String: String],
        authorization: String? = nil
    ) async throws -> ProviderAnswer {
        let body = ByteBuffer(string: FormText.encode(form))
        return try await send(.POST, path, authorization, type: "application/x-www-form-urlencoded", body: body)
    }

    package func post(
        _ path: String,
        json: some Encodable,
        authorization: String? = nil
    ) async throws -> ProviderAnswer {
        let body = ByteBuffer(bytes: try JSONEncoder().encode(json))
        return try await send(.POST, path, authorization, type: "application/json", body: body)
    }

    package func put(
        _ path: String,
        json: some Encodable,
        authorization: String? = nil
    ) async throws -> ProviderAnswer {
        let body = ByteBuffer(bytes: try JSONEncoder().encode(json))
        return try await send(.PUT, path, authorization, type: "application/json", body: body)
    }

    /// Logs that the provider refuses the service's credentials, which means that a setting is wrong, and returns the
    /// error.
    package func refusesUs(_ answer: ProviderAnswer, _ call: String) -> ProviderUnavailable {
        Logger.current.error(
            "provider: credentials refused",
            metadata: ["provider": "\(provider)", "call": "\(call)", "status": .stringConvertible(answer.status)]
        )
        return unavailable
    }

    package var unavailable: ProviderUnavailable { ProviderUnavailable(provider: provider) }

    /// - Throws: `ProviderUnavailable` if no response arrives in time, and for the statuses 429 and 5xx.
    private func send(
        _ method: HTTPMethod,
        _ path: String,
        _ authorization: String?,
        type: String?,
        body: ByteBuffer?
    ) async throws -> ProviderAnswer {
        var request = HTTPClientRequest(url: baseURL + path)
        request.method = method
        if let authorization { request.headers.add(name: "authorization", value: authorization) }
        if let type { request.headers.add(name: "content-type", value: "\(type);charset=utf-8") }
        if let body { request.body = .bytes(body) }
        return try await InstrumentationSystem.tracer.withSpan("\(method.rawValue) \(provider)", ofKind: .client) {
            span in
            // Not the path, which has the key at some providers.
            span.updateAttributes { attributes in
                attributes["http.request.method"] = method.rawValue
                attributes["peer.service"] = provider
                attributes["server.address"] = baseURL
            }
            let answer: ProviderAnswer
            do {
                answer = try await measuringCall(of: provider) {
                    let answer = try await send(request)
                    return (answer, answer.status)
                }
            } catch {
                throw unavailable
            }
            span.attributes["http.response.status_code"] = answer.status
            guard answer.status != 429, answer.status < 500 else { throw unavailable }
            return answer
        }
    }

    private func send(_ request: HTTPClientRequest) async throws -> ProviderAnswer {
        // The HTTP client's own timeout covers only the head of a response.
        try await withTimeout(timeout) {
            let response = try await http.execute(request, deadline: .distantFuture)
            let body = try await response.body.collect(upTo: limit)
            return ProviderAnswer(status: Int(response.status.code), body: Data(body.readableBytesView))
        }
    }
}
