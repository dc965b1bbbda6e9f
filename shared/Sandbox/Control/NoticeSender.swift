import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// How a provider tells an app's server something unasked.
enum NoticeSender {
    /// Sends JSON.
    ///
    /// - Returns: the status of the answer; nil without one.
    static func post(_ url: String, json: String) async -> Int? {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/json")
        request.body = .bytes(ByteBuffer(string: json))
        return await send(request)
    }

    /// Calls an address.
    ///
    /// - Returns: the status of the answer; nil without one.
    static func get(_ url: String, authorization: String) async -> Int? {
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "authorization", value: authorization)
        return await send(request)
    }

    private static func send(_ request: HTTPClientRequest) async -> Int? {
        (try? await HTTPClient.shared.execute(request, timeout: .seconds(10))).map { Int($0.status.code) }
    }
}
