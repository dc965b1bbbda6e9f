package import Apps
import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Sends HTTP requests to one address, and reports them to an observer.
package struct HTTPTransport: Sendable {
    /// `http://host:port`, which the paths of requests continue.
    package let base: String
    package let observer: ClientObserver

    /// Each phone has connections of its own, so that a request of one never waits for those of others.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 4096
        return HTTPClient(configuration: configuration)
    }()

    package init(_ base: String, observer: @escaping ClientObserver = { _ in }) {
        self.base = base
        self.observer = observer
    }

    /// Sends a request and reads the response, 30 seconds at most.
    package func send(
        _ method: Operation.Method,
        _ path: String = "",
        headers: [String: String] = [:],
        body: RequestBody? = nil
    ) async throws -> ClientResponse {
        observer(.request(method, path: path, body: body))
        let start = ContinuousClock.now
        var request = HTTPClientRequest(url: base + Self.encoded(path))
        request.method = HTTPMethod(rawValue: method.rawValue)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let body {
            request.headers.replaceOrAdd(name: "Content-Type", value: body.contentType)
            request.body = .bytes(ByteBuffer(bytes: body.bytes))
        }
        let answer = try await Self.client.execute(request, timeout: .seconds(30))
        let response = ClientResponse(
            call: "\(method.rawValue) \(path)",
            status: Int(answer.status.code),
            headers: answer.headers,
            bytes: Array(try await answer.body.collect(upTo: 8 << 20).readableBytesView)
        )
        observer(.response(response, after: ContinuousClock.now - start))
        return response
    }

    /// Percent-encodes non-ASCII characters, as in `/stations?keyword=강남`.
    private static func encoded(_ path: String) -> String {
        path.utf8.reduce(into: "") { text, byte in
            text += byte < 0x80 ? String(UnicodeScalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
        }
    }
}
