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

/// Two copies of the service, each in its own process, with a durable PostgreSQL.
final class CrashRig: Sendable {
    let server: PostgresServer
    let weather = Weather()
    let http: HTTPClient
    private let key: TestKey
    private let ports: [Int]
    private let environment: [String: String]
    private let copies = Mutex<[Int: ProgramProcess]>([:])

    static let copyCount = 2

    /// - Parameter authURL: the address that publishes the public half of `key`.
    init(server: PostgresServer, key: TestKey, authURL: String) throws {
        self.server = server
        self.key = key
        ports = try (0..<Self.copyCount).map { _ in try FreePort.find() }
        environment = [
            "HOST": "127.0.0.1", "DATABASE_URL": try server.adminURL(), "AUTH_URL": authURL,
            // No server listens there, so no train is ever seen.
            "SEOUL_URL": "http://127.0.0.1:9", "LOG_LEVEL": "warning", "SEAT_REQUEST_TIME": "2",
        ]
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    // MARK: Copies of the service

    func start(_ copy: Int) async throws {
        let process = try await ProgramProcess.start(
            "seats",
            environment: environment.merging(["PORT": "\(ports[copy])"]) { $1 },
            log: log(copy)
        )
        copies.withLock { $0[copy] = process }
        try await waitUntilReady(copy)
    }

    func kill(_ copy: Int) async { await copies.withLock { $0.removeValue(forKey: copy) }?.end() }

    func waitUntilReady(_ copy: Int) async throws {
        for _ in 0..<1500 {
            if await status("/readyz", copy) == 200 { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw NotReady(log: text(copy))
    }

    struct NotReady: Error { var log: String }

    /// The end of a copy's log.
    func text(_ copy: Int) -> String {
        String(((try? String(contentsOfFile: log(copy), encoding: .utf8)) ?? "").suffix(4000))
    }

    private func log(_ copy: Int) -> String { "/tmp/seats-crash-\(getpid())-\(copy).log" }

    func shutDown() async throws {
        for copy in 0..<Self.copyCount {
            await kill(copy)
            try? FileManager.default.removeItem(atPath: log(copy))
        }
        try await http.shutdown()
    }

    // MARK: Clients

    func url(_ scheme: String, _ copy: Int) -> String { "\(scheme)://127.0.0.1:\(ports[copy])" }

    func token(_ account: AccountID) throws -> String { try key.token { $0.sub = "\(account)" } }

    /// The header that the gateway adds to a request.
    func identity(_ account: AccountID? = nil) -> (String, String) {
        let session = account == nil ? nil : "session"
        let identity = InternalIdentity(caller: "gateway", app: .seatcatcher, account: account, session: session)
        return (
            InternalIdentity.header, identity.signed(with: .development, now: Int64(Date.now.timeIntervalSince1970))
        )
    }

    struct Answer: Sendable {
        var status: Int
        var text: String

        var summary: String { "\(status) \(text.prefix(200))" }
    }

    /// - Returns: nil if the copy was killed before it answered.
    func send(
        _ method: HTTPMethod,
        _ path: String,
        _ account: AccountID,
        to copy: Int,
        json: String? = nil
    ) async -> Answer? {
        var request = HTTPClientRequest(url: url("http", copy) + path)
        request.method = method
        let identity = identity(account)
        request.headers.add(name: identity.0, value: identity.1)
        if let json {
            request.headers.add(name: "content-type", value: "application/json")
            request.body = .bytes(ByteBuffer(string: json))
        }
        do {
            let answer = try await http.execute(request, timeout: .seconds(30))
            let body = try await answer.body.collect(upTo: 1 << 20)
            return Answer(status: Int(answer.status.code), text: String(buffer: body))
        } catch {
            return nil
        }
    }

    private func status(_ path: String, _ copy: Int) async -> Int? {
        let request = HTTPClientRequest(url: url("http", copy) + path)
        return (try? await http.execute(request, timeout: .seconds(5))).map { Int($0.status.code) }
    }
}

/// Whether PostgreSQL is down, so that 503 is a permitted answer.
final class Weather: Sendable {
    private struct State {
        var storms = 0
        var isStormy = false
    }

    private let state = Mutex(State())

    func begin() { state.withLock { $0 = State(storms: $0.storms + 1, isStormy: true) } }
    func end() { state.withLock { $0.isStormy = false } }

    /// A mark of the present; `wasFair(since:)` is true if PostgreSQL has been up since.
    var mark: Int { state.withLock { $0.isStormy ? -1 : $0.storms } }

    func wasFair(since mark: Int) -> Bool { state.withLock { !$0.isStormy && $0.storms == mark } }
}
