import AsyncHTTPClient
package import Authentication
package import Contracts
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
    ///   - caller: the identity of the caller, and the service that it calls; nil for none.
    ///   - headers: further headers.
    /// - Throws: when the program is gone before it has answered.
    package func call(
        _ name: String,
        _ method: HTTPMethod,
        _ path: String,
        json: String? = nil,
        as caller: (identity: InternalIdentity, service: ServiceName)? = nil,
        headers: [(String, String)] = []
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: url(name) + path)
        request.method = method
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let (identity, service) = caller {
            let value = identity.signed(method.rawValue, path, to: service)
            request.headers.add(name: InternalIdentity.header, value: value)
        }
        if let json {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(string: json))
        }
        let answer = try await http.execute(request, timeout: .seconds(30))
        return Answer(status: Int(answer.status.code), body: try await answer.body.collect(upTo: 1 << 28))
    }
}
