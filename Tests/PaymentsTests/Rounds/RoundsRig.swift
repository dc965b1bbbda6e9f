import AsyncHTTPClient
import FoundationEssentials
import Glibc
import NIOCore
import NIOHTTP1
import PostgresServer
import Synchronization
import TestKit

/// Two copies of the service and a sandbox PortOne, each in its own process, with their own PostgreSQL.
final class RoundsRig: Sendable {
    enum Part: String, CaseIterable {
        case first, second
        /// The sandbox is never killed, because it is the reference for the payments.
        case sandbox
    }

    let server: PostgresServer
    let http: HTTPClient
    private let databaseURL: String
    private let stubsURL: String
    private let ports: [Part: Int]
    private let running = Mutex<[Part: ProgramProcess]>([:])

    /// - Parameter stubsURL: the address of auth, estate and community.
    init(server: PostgresServer, stubsURL: String) throws {
        self.server = server
        self.stubsURL = stubsURL
        databaseURL = try server.adminURL()
        ports = Dictionary(uniqueKeysWithValues: try Part.allCases.map { ($0, try FreePort.find()) })
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 128
        // With retries the pool would back off for seconds after a copy is up again.
        configuration.connectionPool.retryConnectionEstablishment = false
        http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    func url(_ part: Part) -> String { "http://127.0.0.1:\(ports[part] ?? 0)" }
    var portOneURL: String { url(.sandbox) + "/portone" }

    func start(_ part: Part) async throws {
        var environment = ["HOST": "127.0.0.1", "PORT": "\(ports[part] ?? 0)", "LOG_LEVEL": "warning"]
        if part == .sandbox {
            environment["PORTONE_WEBHOOK_URL"] = ""
        } else {
            environment["DATABASE_URL"] = databaseURL
            for name in ["AUTH_URL", "ESTATE_URL", "COMMUNITY_URL", "NOTIFICATIONS_URL"] {
                environment[name] = stubsURL
            }
            environment["PORTONE_URL"] = portOneURL
            environment["PORTONE_PATIENCE"] = "1"
            environment["PORTONE_TAKES_TESTS"] = "false"
            environment["PAYMENTS_HOLD"] = "\(RoundsPlan.hold)"
            environment["PAYMENTS_CLAIM_WINDOW"] = "\(RoundsPlan.hold)"
            environment["PAYMENTS_ASK_PAUSE"] = "1"
        }
        let program = part == .sandbox ? "sandbox" : "payments"
        let process = try await ProgramProcess.start(program, environment: environment, log: log(part))
        running.withLock { $0[part] = process }
        try await waitUntilReady(part)
    }

    func kill(_ part: Part) async { await running.withLock { $0.removeValue(forKey: part) }?.end() }

    func waitUntilReady(_ part: Part) async throws {
        let path = part == .sandbox ? "/_control/calls?provider=portone" : "/readyz"
        let start = ContinuousClock.now
        while ContinuousClock.now - start < .seconds(60) {
            let request = HTTPClientRequest(url: url(part) + path)
            if (try? await http.execute(request, timeout: .seconds(1)))?.status == .ok { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw NotReady(part: part, log: text(part))
    }

    struct NotReady: Error {
        var part: Part
        var log: String
    }

    /// The end of a process's log.
    func text(_ part: Part) -> String {
        String(((try? String(contentsOfFile: log(part), encoding: .utf8)) ?? "").suffix(4000))
    }

    private func log(_ part: Part) -> String { "/tmp/payments-rounds-\(getpid())-\(part.rawValue).log" }

    func shutDown() async throws {
        for part in Part.allCases {
            await kill(part)
            try? FileManager.default.removeItem(atPath: log(part))
        }
        try await http.shutdown()
    }
}
