import AsyncHTTPClient
import Authentication
import Contracts
import FoundationEssentials
import NIOCore
import NIOHTTP1
import PostgresServer
import StackKit

/// The console beside chat, on free loopback ports, and an operator's browser.
struct ConsoleFixture: Sendable {
    private let chat: ServiceFixture
    private let console: ServiceFixture

    /// A browser follows redirections to the gateway's addresses, which are not the console's.
    private static let http: HTTPClient = {
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.redirectConfiguration = .disallow
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    init(_ database: Database) throws {
        let ports = try FreePort.find(2)
        chat = ServiceFixture(
            name: "chat",
            port: ports[0],
            databaseURL: try database.url(role: "chat"),
            environment: [
                "AUTH_URL": ServiceFixture.closedURL, "COMMUNITY_URL": ServiceFixture.closedURL,
                "NOTIFICATIONS_URL": ServiceFixture.closedURL,
            ]
        )
        let others = ServiceName.ofApps.filter { $0 != .chat }.map {
            ("\($0.rawValue.uppercased())_URL", ServiceFixture.closedURL)
        }
        console = ServiceFixture(
            name: "console",
            port: ports[1],
            databaseURL: try database.url(role: "console"),
            environment: [
                "CHAT_URL": "http://127.0.0.1:\(ports[0])", "SANDBOX_URL": ServiceFixture.closedURL,
                "GATEWAY_URL": ServiceFixture.closedURL,
            ].merging(others) { own, _ in own }
        )
    }

    func withPrograms<Value: Sendable>(
        _ bench: BenchContext,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await chat.withService(bench) { try await console.withService(bench, body) }
    }

    /// The console's memory, in bytes.
    var memory: Int { ProcessMemory.child("console").flatMap(ProcessMemory.ofTree) ?? 0 }

    /// Signs an operator in.
    ///
    /// - Returns: The session's cookie.
    func signIn() async throws -> String {
        let invitation = try await send(
            .POST,
            ConsoleAPI.Invitation.path,
            as: .stack,
            body: #"{"name":"bench","role":"act"}"#,
            type: "application/json"
        )
        let path = try JSONDecoder().decode(
            ConsoleAPI.Invitation.Answer.self,
            from: Data(invitation.body.readableBytesView)
        ).path
        let token = path.split(separator: "=").last.map(String.init) ?? ""
        let answer = try await send(
            .POST,
            "\(ConsoleAPI.pagesPath)/sign-in",
            as: .gateway,
            body: "token=\(token)",
            type: "application/x-www-form-urlencoded"
        )
        guard let cookie = answer.headers.first(name: "set-cookie") else { throw StackError("the sign-in is refused") }
        return String(cookie.prefix { $0 != ";" })
    }

    /// Loads a page.
    ///
    /// - Returns: Its size in bytes, and how long it took in milliseconds.
    func page(_ path: String, _ cookie: String) async throws -> (size: Int, time: Double) {
        let start = ContinuousClock.now
        let answer = try await send(.GET, "\(ConsoleAPI.pagesPath)/\(path)", as: .gateway, cookie: cookie)
        guard answer.status == .ok else { throw StackError("\(path): \(answer.status.code)") }
        return (answer.body.readableBytes, (.now - start) / .milliseconds(1))
    }

    private func send(
        _ method: HTTPMethod,
        _ path: String,
        as caller: ProgramName,
        cookie: String? = nil,
        body: String? = nil,
        type: String? = nil
    ) async throws -> (status: HTTPResponseStatus, headers: HTTPHeaders, body: ByteBuffer) {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(console.port)\(path)")
        request.method = method
        let identity = ServiceFixture.sign(InternalIdentity(caller: caller), method.rawValue, path, to: .console)
        request.headers.add(name: InternalIdentity.header, value: identity)
        if let cookie { request.headers.add(name: "cookie", value: cookie) }
        if let type { request.headers.add(name: "content-type", value: type) }
        if let body { request.body = .bytes(ByteBuffer(string: body)) }
        let answer = try await Self.http.execute(request, timeout: .seconds(30))
        return (answer.status, answer.headers, try await answer.body.collect(upTo: 1 << 24))
    }
}
