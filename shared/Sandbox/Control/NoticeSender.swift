import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// How a provider tells an app's server something unasked.
enum NoticeSender {
    /// Takes a server that is away at its word: no tries until the time is over. Lives as long as the process.
    private static let http: HTTPClient = {
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    /// Sends JSON.
    ///
    /// - Returns: the status of the answer; nil without one.
    static func post(_ url: String, json: String) async -> Int? {
        await post(url, body: json, type: "application/json")
    }

    /// Sends a body of any type.
    ///
    /// - Parameter timeout: how long the provider waits for the answer.
    /// - Returns: the status of the answer; nil without one.
    static func post(_ url: String, body: String, type: String, timeout: TimeAmount = .seconds(10)) async -> Int? {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "content-type", value: type)
        request.body = .bytes(ByteBuffer(string: body))
        return await send(request, timeout)
    }

    /// Calls an address.
    ///
    /// - Returns: the status of the answer; nil without one.
    static func get(_ url: String, authorization: String) async -> Int? {
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "authorization", value: authorization)
        return await send(request, .seconds(10))
    }

    private static func send(_ request: HTTPClientRequest, _ timeout: TimeAmount) async -> Int? {
        (try? await http.execute(request, timeout: timeout)).map { Int($0.status.code) }
    }
}
