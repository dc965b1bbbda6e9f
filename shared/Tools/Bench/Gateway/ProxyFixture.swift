import AsyncHTTPClient
import Authentication
import Crypto
import FoundationEssentials
import NIOCore
import NIOHTTP1
import PostgresServer
import StackKit
import Subprocess
import SystemPackage

/// nginx with a response of 1 KB, and five proxies: the gateway, the gateway that exports the span of each request to nginx,
/// the gateway that keeps traces as in production, HAProxy with token verification, HAProxy without. All on free loopback
/// ports.
struct ProxyFixture: Sendable {
    /// The measured proxy, with its name in the result.
    enum Proxy: String, CaseIterable, Sendable {
        case gateway = "the gateway"
        case tracing = "the gateway with spans"
        case keeping = "the gateway that keeps traces"
        case checking = "HAProxy with jwt_verify ES256"
        case trusting = "HAProxy without any check"
    }

    static let keyID = "bench"
    private static let path = "/stations/1"

    private let scratch: String
    private let executables: String
    private let key: P256.Signing.PrivateKey
    private let upstream: Int
    private let admins: [Int]
    private let ports: [Proxy: Int]

    init(scratch: String, executables: String, key: P256.Signing.PrivateKey) throws {
        let free = try FreePort.find(4 + Proxy.allCases.count)
        self.scratch = scratch
        self.executables = executables
        self.key = key
        self.upstream = free[0]
        self.admins = Array(free[1...3])
        self.ports = Dictionary(uniqueKeysWithValues: zip(Proxy.allCases, free.dropFirst(4)))
    }

    // MARK: Tokens

    /// Access tokens of as many sessions.
    static func tokens(_ count: Int, signedBy key: P256.Signing.PrivateKey) throws -> [String] {
        try (1...count).map { number in
            let claims = Claims(
                sub: String(number),
                sid: "session\(number)",
                app: "seatcatcher",
                typ: "access",
                exp: Int(Date.now.timeIntervalSince1970) + 86_400
            )
            return try SignedToken.sign(claims, kid: keyID, key: key)
        }
    }

    private struct Claims: Encodable {
        var sub: String
        var sid: String
        var app: String
        var typ: String
        var exp: Int
    }

    // MARK: Files

    func writeFiles(tokens: [String]) throws {
        try write("key.pem", key.publicKey.pemRepresentation)
        try write("nginx.conf", try Self.upstream(port: upstream, scratch: scratch, key: key))
        try write("haproxy.cfg", haproxy)
        try write("load.lua", Self.load(tokens))
        try write("token", tokens[0])
    }

    private func write(_ name: String, _ text: String) throws {
        try text.write(toFile: "\(scratch)/\(name)", atomically: false, encoding: .utf8)
    }

    /// The configuration of nginx as the auth service and as the service behind the proxies.
    static func upstream(port: Int, scratch: String, key: P256.Signing.PrivateKey) throws -> String {
        let keys = try JSONEncoder().encode(JWKS(keys: [JWKS.Key(kid: keyID, key: key.publicKey)]))
        let answer = #"{"text":"\#(String(repeating: "x", count: 1013))"}"#
        return """
            daemon off; worker_processes 1; pid \(scratch)/nginx.pid; error_log stderr crit;
            events { worker_connections 1024; }
            http {
                access_log off; keepalive_requests 1000000000; default_type application/json;
                server {
                    listen 127.0.0.1:\(port); client_max_body_size 100m; client_body_buffer_size 8m;
                    location = /internal/keys { return 200 '\(String(decoding: keys, as: UTF8.self))'; }
                    location = /internal/revocations { return 200 '{"revocations":[],"last":0}'; }
                    location = /internal/traces/kept { return 503; }
                    location = /readyz { return 200 'ready'; }
                    location / { return 200 '\(answer)'; }
                }
            }
            """
    }

    private var haproxy: String {
        let frontends = [(Proxy.checking, Self.checks(scratch: scratch)), (.trusting, "")].map { proxy, checks in
            "frontend \(proxy)\n    bind 127.0.0.1:\(ports[proxy] ?? 0)\n\(checks)\n    default_backend upstream\n"
        }
        return Self.haproxy(frontends, upstream: upstream)
    }

    /// HAProxy's rules that verify tokens by the key in `key.pem`.
    static func checks(scratch: String) -> String {
        """
            http-request set-var(txn.alg) http_auth_bearer,jwt_header_query('$.alg')
            http-request deny deny_status 401 unless { var(txn.alg) -m str ES256 }
            http-request deny deny_status 401 unless { http_auth_bearer,jwt_verify(txn.alg,"\(scratch)/key.pem") 1 }
            http-request set-var(txn.exp) http_auth_bearer,jwt_payload_query('$.exp','int')
            http-request set-var(txn.now) date()
            http-request deny deny_status 401 if { var(txn.exp),sub(txn.now) -m int lt 0 }
        """
    }

    /// The configuration of HAProxy with one thread.
    static func haproxy(_ frontends: [String], upstream: Int) -> String {
        """
        global
            nbthread 1
            maxconn 8000
        defaults
            mode http
            option http-keep-alive
            http-reuse always
            timeout connect 2s
            timeout client 30s
            timeout server 30s
        \(frontends.joined(separator: "\n"))
        backend upstream
            server nginx 127.0.0.1:\(upstream)

        """
    }

    /// Each request uses the next token.
    private static func load(_ tokens: [String]) -> String {
        """
        local tokens = { \(tokens.map { "\"\($0)\"" }.joined(separator: ", ")) }
        local turn = 0
        request = function()
          turn = turn % #tokens + 1
          return wrk.format("GET", nil, { ["Authorization"] = "Bearer " .. tokens[turn] })
        end
        """
    }

    // MARK: Processes

    private func gateway(_ proxy: Proxy, admin: Int, _ more: [String: String] = [:]) -> [String: String] {
        [
            "PORT": String(ports[proxy] ?? 0), "ADMIN_PORT": String(admin), "GATEWAY_THREADS": "1",
            "GATEWAY_ACCESS_LOG": "off", "LOG_LEVEL": "error", "RATE_ADDRESS": "0", "RATE_ACCOUNT": "0",
            "AUTH_URL": "http://127.0.0.1:\(upstream)", "SEATS_URL": "http://127.0.0.1:\(upstream)",
            "CONSOLE_URL": "",
        ].merging(more) { $1 }
    }

    /// Runs nginx, HAProxy and the gateways while `body` runs.
    func withPrograms<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let plain = gateway(.gateway, admin: admins[0])
        let tracing = gateway(
            .tracing,
            admin: admins[1],
            ["OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:\(upstream)", "OTEL_BSP_MAX_QUEUE_SIZE": "65536"]
        )
        let keeping = gateway(
            .keeping,
            admin: admins[2],
            ["CONSOLE_URL": "http://127.0.0.1:\(upstream)", "TRACES_KEPT": "0.01"]
        )
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await BenchProgram.run("nginx", ["-p", scratch, "-c", "\(scratch)/nginx.conf"]) }
            group.addTask { try await BenchProgram.run("haproxy", ["-q", "-db", "-f", "\(scratch)/haproxy.cfg"]) }
            for environment in [plain, tracing, keeping] {
                group.addTask { try await BenchProgram.run("\(executables)/gateway", [], environment: environment) }
            }
            group.addTask { try await body() }
            defer { group.cancelAll() }
            while let value = try await group.next() {
                if let value { return value }
            }
            throw StackError("the proxies ended by themselves")
        }
    }

    // MARK: Load

    /// Waits until all proxies respond, then checks that those with token verification refuse a forged token.
    func check() async throws {
        let token = try String(contentsOfFile: "\(scratch)/token", encoding: .utf8)
        let forged = token.dropLast(8) + "AAAAAAAA"
        for proxy in Proxy.allCases {
            var tries = 0
            while await (try? status(proxy, token)) != 200 {
                tries += 1
                guard tries < 500 else { throw StackError("\(proxy.rawValue) does not answer") }
                try await Task.sleep(for: .milliseconds(20))
            }
            let refused = try await status(proxy, String(forged)) == 401
            guard refused == (proxy != .trusting) else { throw StackError("\(proxy.rawValue) does not check tokens") }
        }
    }

    private func status(_ proxy: Proxy, _ token: String) async throws -> UInt {
        var request = HTTPClientRequest(url: url(proxy))
        request.headers.add(name: "Authorization", value: "Bearer \(token)")
        return try await HTTPClient.shared.execute(request, timeout: .seconds(5)).status.code
    }

    /// What wrk has measured.
    struct Load: Sendable {
        var requestsPerSecond: Double
        /// The 99th percentile of the times of requests, in milliseconds.
        var latency: Double
    }

    func load(_ proxy: Proxy, seconds: Int) async throws -> Load {
        let result = try await Subprocess.run(
            .name("wrk"),
            arguments: [
                "-t", "1", "-c", "32", "--latency", "-d", "\(seconds)s", "-s", "\(scratch)/load.lua", url(proxy),
            ],
            output: .string(limit: 1 << 16),
            error: .combinedWithOutput
        )
        let lines = result.standardOutput.split(separator: "\n").map { $0.split(separator: " ") }
        let figure = { (name: String) in lines.first { $0.count == 2 && $0[0] == name }?[1] }
        guard !result.standardOutput.contains("Non-2xx"), let rate = figure("Requests/sec:").flatMap({ Double($0) }),
            let latency = figure("99%").flatMap(Self.milliseconds)
        else { throw StackError("wrk against \(proxy.rawValue) printed: \(result.standardOutput)") }
        return Load(requestsPerSecond: rate, latency: latency)
    }

    /// A time as wrk prints it: `812.00us`, `2.63ms`, `1.05s`.
    private static func milliseconds(_ text: Substring) -> Double? {
        for (unit, factor) in [("us", 0.001), ("ms", 1), ("s", 1000)] where text.hasSuffix(unit) {
            return Double(text.dropLast(unit.count)).map { $0 * factor }
        }
        return nil
    }

    private func url(_ proxy: Proxy) -> String {
        "http://127.0.0.1:\(ports[proxy] ?? 0)\(Self.path)"
    }
}
