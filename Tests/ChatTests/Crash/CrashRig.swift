import AsyncHTTPClient
import Authentication
import Contracts
import FoundationEssentials
import Glibc
import NIOCore
import NIOHTTP1
import PostgresServer
import Synchronization
import TestKit

/// Two copies of the service and a gateway in processes of their own, on a PostgreSQL of their own.
final class CrashRig: Sendable {
    /// The processes that can be killed.
    enum Part: String, CaseIterable {
        case first, second, gateway
    }

    let server: PostgresServer
    let http: HTTPClient
    private let key: TestKey
    private let authURL: String
    private let ports: [Part: Int]
    private let adminPort: Int
    private let running = Mutex<[Part: ProgramProcess]>([:])

    /// - Parameter authURL: publishes the public half of `key`.
    init(server: PostgresServer, key: TestKey, authURL: String) throws {
        self.server = server
        self.key = key
        self.authURL = authURL
        ports = Dictionary(uniqueKeysWithValues: try Part.allCases.map { ($0, try FreePort.find()) })
        adminPort = try FreePort.find()
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    // MARK: Processes

    func start(_ part: Part) async throws {
        var environment = ["HOST": "127.0.0.1", "PORT": "\(port(part))", "AUTH_URL": authURL, "LOG_LEVEL": "warning"]
        if part == .gateway {
            environment["CHAT_URL"] = "\(url("http", .first)),\(url("http", .second))"
            environment["ADMIN_PORT"] = "\(adminPort)"
            for limit in ["RATE_ADDRESS", "RATE_ACCOUNT"] { environment[limit] = "0" }
            environment["GATEWAY_ACCESS_LOG"] = "off"
        } else {
            environment["DATABASE_URL"] = try server.adminURL()
            environment["COMMUNITY_URL"] = "http://127.0.0.1:9"
        }
        let program = part == .gateway ? "gateway" : "chat"
        let process = try await ProgramProcess.start(program, environment: environment, log: log(part))
        running.withLock { $0[part] = process }
        try await waitUntilReady(part)
    }

    func kill(_ part: Part) async { await running.withLock { $0.removeValue(forKey: part) }?.end() }

    func waitUntilReady(_ part: Part) async throws {
        let port = part == .gateway ? adminPort : port(part)
        for _ in 0..<1500 {
            let request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/readyz")
            if (try? await http.execute(request, timeout: .seconds(5)))?.status == .ok { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw NotReady(part: part, log: text(part))
    }

    struct NotReady: Error {
        var part: Part
        var log: String
    }

    /// The last output of a process.
    func text(_ part: Part) -> String {
        String(((try? String(contentsOfFile: log(part), encoding: .utf8)) ?? "").suffix(4000))
    }

    private func log(_ part: Part) -> String { "/tmp/chat-crash-\(getpid())-\(part.rawValue).log" }
    private func port(_ part: Part) -> Int { ports[part] ?? 0 }

    func shutDown() async throws {
        for part in Part.allCases {
            await kill(part)
            try? FileManager.default.removeItem(atPath: log(part))
        }
        try await http.shutdown()
    }

    // MARK: Clients

    func url(_ scheme: String, _ part: Part) -> String { "\(scheme)://127.0.0.1:\(port(part))" }

    /// The headers of a client's call through the gateway, or of the gateway's call to a copy.
    func headers(of account: AccountID, to part: Part) throws -> [(String, String)] {
        guard part == .gateway else { return [StreamPhone.identity(account, of: .anlaka)] }
        let token = try key.token(.anlaka) {
            $0.sub = "\(account)"
            $0.sid = "s\(account)"
        }
        return [("SeSACKey", "anlaka-dev-key"), ("Authorization", token)]
    }

    struct Answer: Sendable {
        var status: Int
        var text: String
    }

    /// Calls the gateway.
    ///
    /// - Returns: nil when the gateway has ended before it responded.
    func post(_ path: String, json: String, by account: AccountID) async throws -> Answer? {
        var request = HTTPClientRequest(url: url("http", .gateway) + path)
        request.method = .POST
        for (name, value) in try headers(of: account, to: .gateway) { request.headers.add(name: name, value: value) }
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(ByteBuffer(string: json))
        do {
            let answer = try await http.execute(request, timeout: .seconds(30))
            let body = try await answer.body.collect(upTo: 1 << 20)
            return Answer(status: Int(answer.status.code), text: String(buffer: body))
        } catch {
            return nil
        }
    }
}
