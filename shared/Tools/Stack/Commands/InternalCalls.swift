import AppClients
import AsyncHTTPClient
import Authentication
import Configuration
import Contracts
import FoundationEssentials
import NIOCore
import NIOHTTP1
import ServiceKit
import StackKit

/// Calls internal endpoints of services directly, without the gateway.
struct InternalCalls: Sendable {
    private let programs: Programs
    private let environment: [String: String]
    private let keys: InternalKeys

    /// - Parameter environment: Has `STACK_INTERNAL_KEY` and `INTERNAL_PUBLIC_KEYS`, and the addresses of services that are
    ///   not on this machine, such as `AUTH_URL`.
    /// - Throws: `SettingsError`.
    init(_ programs: Programs, environment: [String: String]) throws {
        self.programs = programs
        self.environment = environment
        let reader = ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: environment))
        keys = try Settings.read(from: reader) { $0.internalKeys(of: .stack, "STACK_INTERNAL_KEY") }
    }

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
    ///   - body: JSON; nil for no body.
    /// - Throws: If the service cannot be reached.
    func post(
        _ service: ServiceName,
        _ path: String,
        _ body: [UInt8]? = nil,
        headers: [(String, String)] = []
    ) async throws -> Answer {
        try await call(.POST, service, path, body, headers: headers)
    }

    /// - Throws: If the service cannot be reached.
    func get(_ service: ServiceName, _ path: String) async throws -> Answer {
        try await call(.GET, service, path, nil, headers: [])
    }

    private func call(
        _ method: HTTPMethod,
        _ service: ServiceName,
        _ path: String,
        _ body: [UInt8]?,
        headers: [(String, String)]
    ) async throws -> Answer {
        let address = try address(of: service)
        var request = HTTPClientRequest(url: address + path)
        request.method = method
        let now = Int64(Date.now.timeIntervalSince1970)
        let key = keys.key(to: service)
        let identity = InternalIdentity(caller: .stack).signed(method.rawValue, path, with: key, now: now)
        request.headers = HTTPHeaders(headers + [(InternalIdentity.header, identity)])
        if let body {
            request.headers.add(name: "content-type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: body))
        }
        let answer: HTTPClientResponse
        do {
            answer = try await Self.client.execute(request, timeout: .seconds(60))
        } catch {
            throw StackError("\(service) does not answer at \(address); `stack status` shows what runs")
        }
        return Answer(status: answer.status, text: String(buffer: try await answer.body.collect(upTo: 4 << 20)))
    }

    /// The first address of a service in the environment; without one, that on this machine.
    private func address(of service: ServiceName) throws -> String {
        let given = environment["\(service.rawValue.uppercased())_URL"]?.split(separator: ",").first.map(String.init)
        if let given { return given.hasSuffix("/") ? String(given.dropLast()) : given }
        guard let program = programs.services.first(where: { $0.name == service.rawValue }) else {
            throw StackError("there is no service named \(service)")
        }
        return program.url
    }
}
