import AppClients
import AsyncHTTPClient
import Authentication
import FoundationEssentials
import NIOCore
import NIOHTTP1
import StackKit

/// Calls internal endpoints of services directly, without the gateway.
struct InternalCalls: Sendable {
    let programs: Programs
    let secret: InternalSecret

    struct Answer: Sendable {
        var status: HTTPResponseStatus
        var text: String

        /// The error message of the response.
        var message: String { JSON(parsing: text.utf8)?["message"]?.string ?? "\(status.code) \(text)" }
    }

    /// - Parameters:
    ///   - service: The service's name.
    ///   - body: JSON; nil for no body.
    /// - Throws: If the service cannot be reached.
    func post(
        _ service: String,
        _ path: String,
        _ body: [UInt8]? = nil,
        headers: [(String, String)] = []
    ) async throws -> Answer {
        guard let program = programs.services.first(where: { $0.name == service }) else {
            throw StackError("there is no service named \(service)")
        }
        var request = HTTPClientRequest(url: program.url + path)
        request.method = .POST
        let now = Int64(Date.now.timeIntervalSince1970)
        let identity = InternalIdentity(caller: "stack").signed(with: secret, now: now)
        request.headers = HTTPHeaders(headers + [(InternalIdentity.header, identity)])
        if let body {
            request.headers.add(name: "content-type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: body))
        }
        let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
        return Answer(status: answer.status, text: String(buffer: try await answer.body.collect(upTo: 4 << 20)))
    }
}
