import FoundationEssentials
import Hummingbird
package import HummingbirdTesting
import NIOCore

/// The controls of the sandbox that stands in for outside systems.
extension TestClientProtocol {
    /// Uses a control: `kakao/tokens`.
    @discardableResult
    package func control(_ path: String, _ json: String) async throws -> TestResponse {
        let headers: HTTPFields = [.contentType: "application/json"]
        return try await execute(
            uri: "/_control/\(path)",
            method: .post,
            headers: headers,
            body: ByteBuffer(string: json)
        ) { $0 }
    }

    /// Makes the next calls to a provider fail; a count of 0 ends that.
    ///
    /// - Parameter fields: of the fault: `"kind":"http","status":503,"count":1`.
    package func fail(_ provider: String, _ fields: String) async throws {
        try await control("faults", #"{"provider":"\#(provider)",\#(fields)}"#)
    }

    /// The requests that a provider has received, oldest first: `GET /v2/user/me`.
    package func requests(to provider: String, withQuery: Bool = false) async throws -> [String] {
        let answer = try await execute(uri: "/_control/calls?provider=\(provider)", method: .get) { $0 }
        return try answer.json(Calls.self).calls.reversed()
            .map { "\($0.method) \($0.path)\(withQuery ? "?\($0.query)" : "")" }
    }
}

private struct Calls: Decodable {
    struct Call: Decodable {
        var method: String
        var path: String
        var query: String
    }

    var calls: [Call]
}
