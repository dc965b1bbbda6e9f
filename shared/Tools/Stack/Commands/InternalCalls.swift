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

    /// Fails at once where nothing listens, instead of connecting until the timeout.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
    }()

    struct Answer: Sendable {
        var status: HTTPResponseStatus
        var text: String

        /// The body; nil unless the call succeeded with a body of the type.
        func value<Value: Decodable>(as type: Value.Type = Value.self) -> Value? {
            status == .ok ? try? JSONDecoder().decode(type, from: Data(text.utf8)) : nil
        }

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
        try await call(.POST, service, path, body, headers: headers)
    }

    /// - Throws: If the service cannot be reached.
    func get(_ service: String, _ path: String) async throws -> Answer {
        try await call(.GET, service, path, nil, headers: [])
    }

    private func call(
        _ method: HTTPMethod,
        _ service: String,
        _ path: String,
        _ body: [UInt8]?,
        headers: [(String, String)]
    ) async throws -> Answer {
        guard let program = programs.services.first(where: { $0.name == service }) else {
            throw StackError("there is no service named \(service)")
        }
        var request = HTTPClientRequest(url: program.url + path)
        request.method = method
        let now = Int64(Date.now.timeIntervalSince1970)
        let identity = InternalIdentity(caller: "stack").signed(with: secret, now: now)
        request.headers = HTTPHeaders(headers + [(InternalIdentity.header, identity)])
        if let body {
            request.headers.add(name: "content-type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: body))
        }
        let answer: HTTPClientResponse
        do {
            answer = try await Self.client.execute(request, timeout: .seconds(60))
        } catch {
            throw StackError("\(service) does not answer at \(program.url); `stack status` shows what runs")
        }
        return Answer(status: answer.status, text: String(buffer: try await answer.body.collect(upTo: 4 << 20)))
    }
}
