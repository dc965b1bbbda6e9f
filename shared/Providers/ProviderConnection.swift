package import AsyncHTTPClient
import FoundationEssentials
import Logging
import NIOCore
import NIOHTTP1

/// How the HTTP API of an outside system is called: with a limit to time and size, and one meaning of failure. No call is
/// repeated by itself: codes are good once.
package struct ProviderConnection: Sendable {
    /// For people: `Kakao`.
    let provider: String
    let baseURL: String
    let http: HTTPClient
    /// How long an answer may take, to its last byte.
    let patience: Duration

    /// Bytes that an answer may have.
    let limit: Int

    package init(
        provider: String,
        baseURL: String,
        http: HTTPClient,
        patience: Duration = .seconds(5),
        limit: Int = 1 << 20
    ) {
        self.provider = provider
        self.baseURL = baseURL
        self.http = http
        self.patience = patience
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

    /// The provider refuses us, not the person: a setting is wrong, and whoever runs this has to hear of it.
    package func refusesUs(_ answer: ProviderAnswer, _ call: String) -> ProviderUnavailable {
        Logger.current.error(
            "a provider refuses our credentials",
            metadata: ["provider": "\(provider)", "call": "\(call)", "status": "\(answer.status)"]
        )
        return unavailable
    }

    package var unavailable: ProviderUnavailable { ProviderUnavailable(provider: provider) }

    /// - Throws: `ProviderUnavailable` without an answer in time, and for one of 429 or 5xx.
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
        let answer: ProviderAnswer
        do {
            answer = try await send(request)
        } catch {
            throw unavailable
        }
        guard answer.status != 429, answer.status < 500 else { throw unavailable }
        return answer
    }

    private func send(_ request: HTTPClientRequest) async throws -> ProviderAnswer {
        try await withThrowingTaskGroup(of: ProviderAnswer.self) { group in
            group.addTask {
                let response = try await http.execute(request, deadline: .distantFuture)
                let body = try await response.body.collect(upTo: limit)
                return ProviderAnswer(status: Int(response.status.code), body: Data(body.readableBytesView))
            }
            // The client's own deadline ends with the head of an answer.
            group.addTask {
                try await Task.sleep(for: patience)
                throw unavailable
            }
            defer { group.cancelAll() }
            guard let answer = try await group.next() else { throw unavailable }
            return answer
        }
    }
}
