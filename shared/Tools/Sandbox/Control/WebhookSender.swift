import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Sends the webhooks of providers.
enum WebhookSender {
    /// A client without connection retries, so that an unavailable server fails immediately. It lives as long as the
    /// process.
    private static let http: HTTPClient = {
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    /// Posts JSON.
    ///
    /// - Returns: The status of the response; nil without one.
    static func post(_ url: String, json: String) async -> Int? {
        await post(url, body: json, type: "application/json")
    }

    /// Posts a body of any type.
    ///
    /// - Parameter timeout: The provider's timeout for the response.
    /// - Returns: The status of the response; nil without one.
    static func post(_ url: String, body: String, type: String, timeout: TimeAmount = .seconds(10)) async -> Int? {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "content-type", value: type)
        request.body = .bytes(ByteBuffer(string: body))
        return await send(request, timeout)
    }

    /// Sends a GET request.
    ///
    /// - Returns: The status of the response; nil without one.
    static func get(_ url: String, authorization: String) async -> Int? {
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "authorization", value: authorization)
        return await send(request, .seconds(10))
    }

    private static func send(_ request: HTTPClientRequest, _ timeout: TimeAmount) async -> Int? {
        (try? await http.execute(request, timeout: timeout)).map { Int($0.status.code) }
    }
}
