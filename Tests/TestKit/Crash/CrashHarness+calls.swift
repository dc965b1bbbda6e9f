import AsyncHTTPClient
package import Authentication
import FoundationEssentials
package import NIOCore
package import NIOHTTP1
import ServiceKit

extension CrashHarness {
    package struct Answer: Sendable {
        package var status: Int
        package var body: ByteBuffer

        package var text: String { String(buffer: body) }

        package func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
            try JSONDecoder().decode(Value.self, from: Data(body.readableBytesView))
        }
    }

    /// Calls a program.
    ///
    /// - Parameters:
    ///   - identity: the caller, as the gateway states it; nil for none.
    ///   - headers: further headers.
    /// - Throws: when the program is gone before it has answered.
    package func call(
        _ name: String,
        _ method: HTTPMethod,
        _ path: String,
        json: String? = nil,
        as identity: InternalIdentity? = nil,
        headers: [(String, String)] = []
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: url(name) + path)
        request.method = method
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let identity {
            let now = Int64(Date.now.timeIntervalSince1970)
            request.headers.add(name: InternalIdentity.header, value: identity.signed(with: .development, now: now))
        }
        if let json {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(string: json))
        }
        let answer = try await http.execute(request, timeout: .seconds(30))
        return Answer(status: Int(answer.status.code), body: try await answer.body.collect(upTo: 1 << 28))
    }
}
